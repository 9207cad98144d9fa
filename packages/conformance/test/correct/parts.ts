/** Parts of servers that are all correct, and all different. */
import { example, json, type Alter, type Answer, type Asked, type Manners } from "../server.ts";

/** One correct server. */
export interface CorrectServer {
  readonly alter?: Alter;
  readonly manners?: Manners;
}

export type Json = Record<string, unknown>;

export const isStream = ({ url }: Asked, { status }: Answer): boolean =>
  url.startsWith("/api/automation") && status === 200;
export const isSession = ({ url }: Asked): boolean => url.startsWith("/sessions/");

/** Changes the stream of a run. */
export const stream =
  (change: (body: string) => string): Alter =>
  (answer, request) =>
    isStream(request, answer) ? { ...answer, body: change(answer.body) } : answer;

/** Changes the JSON body of every answer that has one. */
export const body =
  (change: (value: Json, request: Asked, answer: Answer) => unknown): Alter =>
  (answer, request) => {
    if (isStream(request, answer) || answer.body === "") return answer;
    const value: Json = JSON.parse(answer.body);
    return { ...answer, body: JSON.stringify(change(value, request, answer)) };
  };

/** Changes every event. */
export const events = (change: (event: Json) => unknown): Alter =>
  stream((text) =>
    text.replace(/^data: (.*)$/gm, (_, data: string) => `data: ${JSON.stringify(change(JSON.parse(data)))}`),
  );

/** Answers one status of the session-scoped operations with another. */
export const session =
  (from: number, to: Answer): Alter =>
  (answer, request) =>
    isSession(request) && answer.status === from ? to : answer;

export const both =
  (...alters: readonly Alter[]): Alter =>
  (answer, request) =>
    alters.reduce((changed, alter) => alter(changed, request), answer);

export const contentType = (value: string, when: (answer: Answer, request: Asked) => boolean): Alter => {
  return (answer, request) =>
    when(answer, request) ? { ...answer, headers: { ...answer.headers, "content-type": value } } : answer;
};

export const header =
  (headers: Record<string, string>): Alter =>
  (answer) => ({ ...answer, headers: { ...answer.headers, ...headers } });

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds a field to every object, however deep it lies, but not to what a map of the client's own names may be. */
export function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extended);
  if (!isObject(value)) return value;
  return { "x-more": 1, ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, extended(inner)])) };
}

export function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

/** Reads the fields of a scrape leniently, before they are validated. */
export function reading(lenient: (field: string, value: unknown) => unknown): NonNullable<Manners["read"]> {
  return (asked) => {
    if (!asked.url.includes("/scrape")) return asked;
    try {
      const value: unknown = JSON.parse(asked.body);
      if (!isObject(value)) return asked;
      const members = Object.entries(value).map(
        ([name, inner]) => `${JSON.stringify(name)}:${JSON.stringify(lenient(name, inner))}`,
      );
      return { ...asked, body: `{${members.join(",")}}` };
    } catch {
      return asked;
    }
  };
}

export const booleanWords: Readonly<Record<string, boolean>> = {
  true: true,
  "1": true,
  yes: true,
  false: false,
  "0": false,
};
export const booleanFields = /^(scrape_|only_|use_)/;
export const isText = (value: unknown): value is number | boolean =>
  typeof value === "number" || typeof value === "boolean";

export function minimal(value: Json, { url }: Asked, { status }: Answer): unknown {
  if (status === 422) return { detail: [] };
  if (status !== 200) return {};
  if (url.includes("/scrape")) return { markdown: value["markdown"] };
  return url.includes("/cookies") ? { cookies: [] } : value;
}

export const ending = (name: string): Alter => {
  const last = `automation.200.${name}`;
  return (answer, request) =>
    isStream(request, answer) ? { ...answer, body: example(last, 200, "sse").body } : answer;
};

export const problemDocument = (status: number): Answer => ({
  ...json(status, { type: "about:blank", title: "no", status }),
  headers: { "content-type": "application/problem+json; charset=utf-8" },
});

export const isCharset = ({ headers }: Asked): boolean => (headers["content-type"] ?? "").includes("charset");
export const isPlain = ({ headers }: Asked): boolean => (headers["content-type"] ?? "").startsWith("text/plain");

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
