import { deepStrictEqual } from "node:assert/strict";
import type { Addresses, Consumer, Run } from "./consumers/consumer.ts";
import { key, type Arrived, type Loopback } from "./loopback.ts";

/** What a generated client is made with. */
export type Connect = (addresses: Addresses) => Consumer;

/** One call through a generated client: what arrived, and what came back. */
export interface Call {
  readonly arrived: readonly Arrived[];
  readonly value?: unknown;
  readonly error?: unknown;
}

/** All calls through one generated client. */
export interface Calls {
  readonly scrape: Call;
  readonly cookies: Call;
  readonly replay: Call;
  readonly start: Call;
  /** Runs whose connection closes after the first event, and runs that are refused with 502, as recommended and as it comes. */
  readonly closed: Call;
  readonly plainClosed: Call;
  readonly refused: Call;
  readonly plainRefused: Call;
  /** The same without the recommended precaution; as recommended where none is needed. */
  readonly plainScrape: Call;
  readonly plainStart: Call;
}

/** An identifier that tells whether paths are encoded. */
export const session = "a/b ü?c";
const encoded = "/sessions/a%2Fb%20%C3%BC%3Fc";

/** A client that posts a run as often as this is taken to go on for ever. */
const manyPosts = 3;

/** Calls every operation through a client. */
export async function callAll(connect: Connect, loopback: Loopback): Promise<Calls> {
  const { sessions, automation } = loopback;
  const consumer = connect({ sessions, automation, key });
  const { plainly = {} } = consumer;
  const start = (signal: AbortSignal): Promise<Run> => consumer.start("find the next ferry", signal);
  const plainStart = (signal: AbortSignal): Promise<unknown> =>
    plainly.start ? plainly.start("find the next ferry", signal) : start(signal);
  const call = async (work: (signal: AbortSignal) => Promise<unknown>): Promise<Call> => recordCall(loopback, work);
  const calls = {
    scrape: await call(async () => consumer.scrape(session)),
    cookies: await call(async () => consumer.cookies(session)),
    replay: await call(async () => consumer.replay(session)),
    start: await call(start),
    plainScrape: await call(async () => (plainly.scrape ? plainly.scrape(session) : consumer.scrape(session))),
    plainStart: await call(plainStart),
  };
  try {
    loopback.automations = "closed";
    const [closed, plainClosed] = [await call(start), await call(plainStart)];
    loopback.automations = "refused";
    const [refused, plainRefused] = [await call(start), await call(plainStart)];
    return { ...calls, closed, plainClosed, refused, plainRefused };
  } finally {
    loopback.automations = "done";
  }
}

/** Does some work, and says what arrived meanwhile; ends it when it sends without end. */
async function recordCall(loopback: Loopback, work: (signal: AbortSignal) => Promise<unknown>): Promise<Call> {
  const before = loopback.arrived.length;
  const controller = new AbortController();
  const tooMany = new Promise<void>((resolve) => {
    loopback.onArrival = () => {
      if (loopback.arrived.length - before >= manyPosts) resolve();
    };
  });
  const settling = work(controller.signal).then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const outcome = await Promise.race([settling, tooMany]);
  controller.abort();
  return { arrived: loopback.arrived.slice(before), ...outcome };
}

/** What is wrong with the calls through a client, as it is recommended; empty when all is as the contract says. */
export function listComplaints({ scrape, cookies, replay, start, closed, refused }: Calls): string[] {
  const complaints: string[] = [];
  const expect = (what: string, check: () => void): void => {
    try {
      check();
    } catch (error) {
      complaints.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  expect("scrape", () => {
    const line = scrape.arrived[0]?.line.replace("?update_metadata=true", "");
    checkSent(scrape, { server: "sessions", line: scrape.arrived[0]?.line });
    deepStrictEqual(line, `POST ${encoded}/page/scrape`);
    deepStrictEqual(getBody(scrape), { only_main_content: true });
    deepStrictEqual(typeof scrape.value, "string");
    deepStrictEqual(scrape.arrived[0]?.headers["content-type"]?.split(";")[0], "application/json");
  });
  expect("cookies", () => {
    checkSent(cookies, { server: "sessions", line: `GET ${encoded}/cookies` });
    deepStrictEqual(cookies.value, [true, false]);
  });
  expect("replay", () => {
    checkSent(replay, { server: "sessions", line: `GET ${encoded}/replay` });
    deepStrictEqual(replay.value, 12_500);
  });
  expect("automation", () => {
    checkSent(start, { server: "automation", line: "POST /api/automation/start" });
    deepStrictEqual(getBody(start), { query: "find the next ferry" });
    deepStrictEqual(start.value, { types: eventTypes, cost: 0.0431 });
  });
  for (const [what, call] of Object.entries({ closed, refused })) {
    expect(`an automation that is ${what}`, () => {
      deepStrictEqual(call.arrived.length, 1);
      if (call.error === undefined) throw new Error("the caller is not told");
    });
  }
  return complaints;
}

/** Throws unless the call sent one request to its address, with the key, and came back. */
function checkSent({ arrived, error }: Call, want: object): void {
  if (error instanceof Error) throw error;
  deepStrictEqual(
    arrived.map(({ server, line, headers }) => ({ server, line, authorization: headers.authorization })),
    [{ ...want, authorization: `Bearer ${key}` }],
  );
}

function getBody({ arrived }: Call): unknown {
  return JSON.parse(arrived[0]?.body ?? "null");
}

const eventTypes =
  "status notte_session_data thinking_delta thinking_delta tool_start tool_result text_delta text_delta message_complete function_uploaded done".split(
    " ",
  );
