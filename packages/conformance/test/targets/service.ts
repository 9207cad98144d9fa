/**
 * A service that conforms to the interface, as the parts that it is made of. A target replaces parts: a correct one by others
 * that are as right, a faulty one by one that breaks one sentence. Written from the interface alone: it shares no code with
 * the suite, and none of the contract.
 */
import {
  isObject,
  json,
  findOperation,
  findSession,
  type Answer,
  type ReceivedRequest,
  type Fields,
  type Json,
} from "./messages.ts";
import { asksImages, leaveMarkdown } from "./markdown-left.ts";
import { cookies, images, markdown, recording, runEndingIn, structured } from "./content.ts";

export const apiKey = "cbk_Live-7fQzR2mW9tYx";
export const openSession = "7c1d-open";
export const endedSession = "7c1d-ended";

/** One thing that is wrong with a request. */
export interface Problem {
  readonly loc: (string | number)[];
  readonly msg: string;
}

/** The names inside a value at which it is wrong; undefined when it is right. */
export type Reader = (value: Json) => readonly (string | number)[] | undefined;

/** The parts. */
export interface Service {
  /** The ids of its two sessions: the one that is open, and the one that has ended. */
  readonly sessions: { readonly open: string; readonly ended: string };
  /** Returns whether the credentials of a request are valid. */
  readonly admits: (request: ReceivedRequest) => boolean;
  /** The answer to a request whose credentials are not. */
  readonly turnsAway: (request: ReceivedRequest) => Answer;
  /** The fields of a page scrape that are read otherwise than in `fieldReaders`. */
  readonly fields: Readonly<Record<string, Reader>>;
  /** The fields of a page scrape that have to be there. */
  readonly required: readonly string[];
  /** Returns whether a page scrape may have a property of that name. */
  readonly knows: (name: string, request: ReceivedRequest) => boolean;
  /** The value of a body; throws for one that has none. */
  readonly parses: (body: string) => Json;
  /** Returns whether the value of `update_metadata` is valid. */
  readonly flag: (value: string | null) => boolean;
  /** The answer to a page scrape that is not valid. */
  readonly rejects: (problems: readonly Problem[], request: ReceivedRequest) => Answer;
  /** Returns the problems of a page scrape that the response names. */
  readonly problems: (found: readonly Problem[], request: ReceivedRequest) => readonly Problem[];
  /** Returns the result of a page scrape. */
  readonly scrapes: (options: ReadonlyMap<string, Json>, request: ReceivedRequest) => Json;
  /** Returns the result of a cookies read. */
  readonly cookies: (request: ReceivedRequest) => Json;
  /** Returns the result of a recording read. */
  readonly recording: (request: ReceivedRequest) => Json;
  /** Returns the reason why a body starts no run; undefined when it starts one. */
  readonly startsNoRun: (request: ReceivedRequest) => string | undefined;
  /** The events of a run. */
  readonly run: (request: ReceivedRequest) => readonly Fields[];
  /** Serializes an event. */
  readonly writes: (event: Fields) => string;
  /** Changes the final response. */
  readonly revises: (answer: Answer, request: ReceivedRequest) => Answer;
}

/** Some parts: those that a service does otherwise than the correct one. */
export type Parts = Partial<Service>;

const text: Reader = (value) => (typeof value === "string" || value === null ? undefined : []);
const boolean: Reader = (value) => (typeof value === "boolean" ? undefined : []);
const tags: Reader = (value) => {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return [];
  const wrong = value.findIndex((tag) => typeof tag !== "string");
  return wrong < 0 ? undefined : [wrong];
};

/** Fields of a page scrape that are texts, and those that are booleans. */
export const texts = ["selector", "instructions"];
export const booleans = ["scrape_links", "scrape_images", "only_main_content", "only_images", "use_link_placeholders"];

/** Readers of the fields of a page scrape. */
export const fieldReaders: Readonly<Record<string, Reader>> = {
  selector: text,
  scrape_links: boolean,
  scrape_images: boolean,
  ignored_tags: tags,
  only_main_content: boolean,
  only_images: boolean,
  response_format: () => undefined,
  instructions: text,
  use_link_placeholders: boolean,
};

/** The token of a request, when it comes as it should. */
export const findToken = ({ headers }: ReceivedRequest): string | undefined =>
  /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1];

/** The answer to a request that is not valid, from its problems. */
const validationAnswer = (problems: readonly Problem[]): Answer =>
  json(422, { detail: problems.map(({ loc, msg }) => ({ loc, msg, type: "value_error", input: null, ctx: {} })) });

/** The service that does everything right. */
export const correctService: Service = {
  sessions: { open: openSession, ended: endedSession },
  admits: (request) => findToken(request) === apiKey,
  turnsAway: (request) => json(findOperation(request) === "automation" ? 401 : 403, { detail: "not allowed" }),
  fields: {},
  required: [],
  knows: (name) => Object.hasOwn(fieldReaders, name),
  parses: (body) => {
    const value: Json = JSON.parse(body);
    return value;
  },
  flag: (value) => value === null || value === "true" || value === "false",
  rejects: validationAnswer,
  problems: (found) => found,
  scrapes: (options) => ({
    markdown: leaveMarkdown(markdown, options),
    ...(asksImages(options) ? { images: [...images] } : {}),
    ...(isObject(options.get("response_format")) ? { structured } : {}),
  }),
  cookies: () => ({ cookies: [...cookies] }),
  recording: () => recording,
  startsNoRun: ({ body }) => {
    try {
      const value: unknown = JSON.parse(body);
      return isObject(value) && Object.hasOwn(value, "query") ? undefined : "query is missing";
    } catch {
      return "not JSON";
    }
  },
  run: () => runEndingIn("done"),
  writes: (event) => `data: ${JSON.stringify(event)}\n\n`,
  revises: (answer) => answer,
};

/** Answers one request. */
export function answerRequest(service: Service, request: ReceivedRequest): Answer {
  return service.revises(firstAnswer(service, request), request);
}

function firstAnswer(service: Service, request: ReceivedRequest): Answer {
  const operation = findOperation(request);
  if (operation === undefined) return json(404, { detail: "no such path" });
  if (!service.admits(request)) return service.turnsAway(request);
  if (operation === "automation") return automation(service, request);
  if (!Object.values(service.sessions).includes(findSession(request))) return json(404, { detail: "no such session" });
  if (operation === "scrape") return scrape(service, request);
  if (operation === "cookies")
    return prefers422(request) ? service.rejects(anyProblem, request) : json(200, service.cookies(request));
  return findSession(request) === service.sessions.ended
    ? json(200, service.recording(request))
    : json(409, { detail: "not ended" });
}

/** A mock can be asked for the answer that no request to the cookies provokes. */
const prefers422 = ({ headers }: ReceivedRequest): boolean => String(headers["prefer"] ?? "").includes("code=422");
const anyProblem: readonly Problem[] = [{ loc: ["path", "session_id"], msg: "no session" }];

function automation(service: Service, request: ReceivedRequest): Answer {
  const reason = service.startsNoRun(request);
  if (reason !== undefined) return json(400, { detail: reason });
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" };
  return { status: 200, headers, pieces: service.run(request).map((event) => service.writes(event)) };
}

function scrape(service: Service, request: ReceivedRequest): Answer {
  const found: Problem[] = [];
  if (!service.flag(request.query.get("update_metadata")))
    found.push({ loc: ["query", "update_metadata"], msg: "no boolean" });
  const options = read(service, request, found);
  const problems = service.problems(found, request);
  return problems.length > 0 ? service.rejects(problems, request) : json(200, service.scrapes(options, request));
}

/** The members of the body; what is wrong with it is added to the problems. */
function read(service: Service, request: ReceivedRequest, found: Problem[]): ReadonlyMap<string, Json> {
  const wrong = (loc: readonly (string | number)[], msg: string): void =>
    void found.push({ loc: ["body", ...loc], msg });
  let value: Json = null;
  try {
    value = service.parses(request.body);
  } catch {
    wrong([], request.body === "" ? "missing" : "not JSON");
    return new Map();
  }
  if (!isObject(value)) wrong([], "no object");
  const options = new Map(isObject(value) ? Object.entries(value) : []);
  const readers = new Map(Object.entries({ ...fieldReaders, ...service.fields }));
  for (const [name, member] of options) {
    const at = readers.get(name)?.(member);
    if (at) wrong([name, ...at], "wrong type");
    if (!service.knows(name, request)) wrong([name], "unknown");
  }
  for (const name of service.required) if (!options.has(name)) wrong([name], "missing");
  return options;
}
