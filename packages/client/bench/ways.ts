import "@browserbasehq/sdk/shims/web"; // the fetch of the runtime, and its types
import { Browserbase } from "@browserbasehq/sdk";
import { createCloudBrowser, type CloudBrowserOptions } from "../src/index.ts";
import type { paths } from "@cloud-browser/spec/types";
import ky from "ky";
import OpenAI from "openai";
import createClient from "openapi-fetch";
import type { Operation, Way } from "./way.ts";

/** What sends a request, and what has the address. */
export interface Service {
  /** Address of the service. */
  readonly baseUrl: string;
  /** Answers a request. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Name of the floor that all others are compared with. */
export const rawName = "raw fetch";
/** Name of what the aim is about. */
export const fullName = "ours, everything on";

const apiKey = "key";
const session = "s1";

/** All ways to call an operation of the service: the floor, ours, the peers. */
export function listWays({ name, method, path, body }: Operation, { baseUrl, fetch }: Service): readonly Way[] {
  // Peers call `fetch` with an address and its options; the real one makes a `Request` of them, and so does this one.
  const fetchLike = async (input: Request | { toString(): string }, init?: object): Promise<Response> =>
    fetch(input instanceof Request ? (init ? new Request(input, init) : input) : new Request(String(input), init));
  const prepareOurs = (options: CloudBrowserOptions): (() => Promise<unknown>) => {
    const client = createCloudBrowser({ apiKey, baseUrl, fetch, ...options });
    return name === "cookies"
      ? () => client.cookies(session, { signal: createSignal() })
      : () => client.scrape(session, body, { signal: createSignal() });
  };
  const everything: CloudBrowserOptions = {
    retries: { max: 2 },
    timeouts: { headersMs: 30_000, bodyMs: 30_000, totalMs: 60_000 },
    hooks: { onRequest: doNothing, onResponse: doNothing, onRetry: doNothing },
    logger: { debug: doNothing, warn: doNothing },
    headers: { "x-own": "1" },
    requestOrigin: "bench",
    sdkVersion: "1",
  };

  const bare = createClient<paths>({ baseUrl, fetch, headers: { authorization: `Bearer ${apiKey}` } });
  const params = { path: { session_id: session } };
  const openai = new OpenAI({ apiKey, baseURL: baseUrl, fetch: fetchLike });
  const browserbase = new Browserbase({ apiKey, baseURL: baseUrl, fetch: fetchLike });
  const own = ky.create({ baseUrl, fetch: fetchLike, headers: { authorization: `Bearer ${apiKey}` } });
  const getOptions = (): { signal: AbortSignal; body?: typeof body } => ({
    signal: createSignal(),
    ...(body && { body }),
  });

  return [
    {
      name: rawName,
      what: "one Request, response.json()",
      async call() {
        const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
        const init = { method, headers, signal: createSignal(), ...(body && { body: JSON.stringify(body) }) };
        const response = await fetchLike(baseUrl + path, init);
        if (!response.ok) throw new Error(String(response.status));
        return response.json();
      },
    },
    { name: fullName, what: "retries, 3 limits, hooks, logger, signal, headers", call: prepareOurs(everything) },
    { name: "ours, as it comes", what: "retries, 2 limits, signal", call: prepareOurs({}) },
    {
      name: "openapi-fetch 0.17",
      what: "no retries, no limits, signal",
      call: async () =>
        body
          ? (await bare.POST("/sessions/{session_id}/page/scrape", { params, body, signal: createSignal() })).data
          : (await bare.GET("/sessions/{session_id}/cookies", { params, signal: createSignal() })).data,
    },
    {
      name: "ky 2.1",
      what: "retries, 1 limit, signal",
      call: () => own(path.slice(1), { method, signal: createSignal(), ...(body && { json: body }) }).json(),
    },
    {
      name: "@browserbasehq/sdk 2.21",
      what: "retries, 1 limit, signal",
      call: () => (body ? browserbase.post(path, getOptions()) : browserbase.get(path, getOptions())),
    },
    {
      name: "openai 7.55",
      what: "retries, 1 limit, signal",
      call: () => (body ? openai.post(path, getOptions()) : openai.get(path, getOptions())),
    },
  ];
}

/** One signal per call, as most callers have it: on one that lives long, every Request leaves something behind for a while. */
function createSignal(): AbortSignal {
  return new AbortController().signal;
}

function doNothing(): void {}
