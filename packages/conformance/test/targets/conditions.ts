/** Conditions: what can be true of a request and of the answer to it. */
import {
  isJson,
  findOperation,
  findSession,
  listMembers,
  type Answer,
  type Json,
  type Operation,
  type ReceivedRequest,
} from "./messages.ts";
import { endedSession, findToken } from "./service.ts";

/** Returns whether something is true of a request and of the answer to it. */
export type Condition = (request: ReceivedRequest, answer: Answer) => boolean;

/** True when all conditions are. */
export const both =
  (...conditions: readonly Condition[]): Condition =>
  (request, answer) =>
    conditions.every((holds) => holds(request, answer));

/** True for requests of some operations. */
export const at =
  (...operations: readonly Operation[]): Condition =>
  (request) =>
    operations.some((operation) => operation === findOperation(request));

/** True for answers of some statuses. */
export const answers =
  (isSuch: (status: number) => boolean): Condition =>
  (_, { status }) =>
    isSuch(status);

/** True when the body has a member whose value is such. */
export const has =
  (name: string, isSuch: (value: Json) => boolean = () => true): Condition =>
  (request) => {
    const value = listMembers(request).get(name);
    return value !== undefined && isSuch(value);
  };

/** True when the body has no such member. */
export const lacks =
  (name: string): Condition =>
  (request) =>
    !listMembers(request).has(name);

/** True when the body has a text in it. */
export const inBody =
  (pattern: RegExp): Condition =>
  ({ body }) =>
    pattern.test(body);

/** True for bodies of more characters. */
export const isLonger =
  (length: number): Condition =>
  ({ body }) =>
    body.length > length;

/** True when a header is sent, and has a text in it. */
export const inHeader =
  (name: string, pattern = /^/): Condition =>
  ({ headers }) =>
    headers[name] !== undefined && pattern.test(String(headers[name]));

/** True when the query has a parameter. */
export const inQuery =
  (name: string, value?: string): Condition =>
  ({ query }) =>
    value === undefined ? query.has(name) : query.get(name) === value;

/** True for texts with a pattern in them. */
export const isText =
  (pattern = /^/) =>
  (value: Json): boolean =>
    typeof value === "string" && pattern.test(value);
export const isTrue = (value: Json): boolean => value === true;
export const isFalse = (value: Json): boolean => value === false;
export const isNull = (value: Json): boolean => value === null;
export const isBoolean = (value: Json): boolean => typeof value === "boolean";
export const isNullOrText = (value: Json): boolean => value === null || typeof value === "string";
export const isList = (value: Json): value is Json[] => Array.isArray(value);
export const isTags = (value: Json): boolean => value === null || (isList(value) && value.every(isText()));

/** The header of the credentials; empty when there is none. */
export const authorization = ({ headers }: ReceivedRequest): string => headers.authorization ?? "";
/** The key of a request; empty when there is none. */
export const token = (request: ReceivedRequest): string => findToken(request) ?? "";

export const isKeyless: Condition = (request) => authorization(request) === "";
export const isEmptyKey: Condition = (request) => /^bearer\s*$/i.test(authorization(request));
/** Has a key of nobody, as the suite makes them. */
export const hasAnotherKey: Condition = (request) => token(request).startsWith("cloud-browser");

/** Is JSON without a query. */
export const lacksQuery: Condition = (request) => isJson(request) && !listMembers(request).has("query");
/** Is no JSON. */
export const isBroken: Condition = (request) => !isJson(request) && request.body !== "";

/** Is about a session that there is not. */
export const isUnknownSession: Condition = ({ path }) => path.includes("/00000000-");
export const isOfEnded: Condition = (request) => findSession(request) === endedSession;
