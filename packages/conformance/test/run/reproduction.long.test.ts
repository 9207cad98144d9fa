import { createServer } from "node:http";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeReproduction, listReproductions, type Reproduction } from "../../src/report/shell/curl.ts";
import type { RecordedExchange, Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { listen } from "../listen.ts";
import { receive, runInShell, type Received } from "../report/received.ts";

const apiKey = "repro-Key-0123456789";
const bypass = 'by\'pass "$HOME" 0815';

let arrivals: (Received & { readonly connection: number })[] = [];
const connections = new Map<Socket, number>();

/** True when requests without a key or with an invalid key are refused; a part of the key counts as the key. */
let refuses = false;

/** Whatever is asked, the answer is wrong: one kind of wrong for each operation, and now and then another one. */
const server = createServer({ maxHeaderSize: 2 ** 20 }, (request, response) => {
  // Another test may look for a server of its own that has gone, and whose port this one has now.
  if (request.headers["x-bypass"] !== bypass) return void response.writeHead(404).end();
  return void receive(request).then(({ path, headers, ...received }) => {
    const connection = connections.get(request.socket) ?? connections.size + 1;
    connections.set(request.socket, connection);
    const decodedHeaders = headers.map(([name, value]) => [name, decoded(value)] as const);
    arrivals.push({ ...received, path: decoded(path), headers: decodedHeaders, connection });
    const authorization = request.headers.authorization ?? "";
    if (refuses && (authorization === "" || authorization.includes("not-valid")))
      return response.writeHead(401).end("{}");
    const isStream = path?.includes("/automation/") === true;
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    return response.end(
      isStream
        ? 'data: {"type":"done"}\n\ndata: 7\n\n'
        : arrivals.length % 3 === 0
          ? "[]"
          : '{"cookies":[{"value":1}]}',
    );
  });
});

/** Credentials in a query or a cookie may be percent-encoded more than is needed. */
const decoded = (text = ""): string => text.replace(/(?<=api_key=)[^&;]+/, decodeURIComponent);

/** The report of a run, and what arrived for each of its exchanges. */
interface JudgedRun {
  readonly report: Report;
  readonly original: ReadonlyMap<string, Received>;
}

let baseUrl: string;
let wrong: JudgedRun;
let lenient: JudgedRun;

/** No burst has more requests. */
const longestBurst = 8;

async function judge(): Promise<JudgedRun> {
  arrivals = [];
  const headers = { "x-bypass": bypass, "x-plain": "a b" };
  const target = liveTarget({ baseUrl, apiKey, sessionId: "a/b c", endedSessionId: "ended", headers });
  const report = await runConformance(target, { profile: "full", maxRuns: 5, limits: { closeGraceMs: 50 } });
  expect(arrivals.length).toBe(report.exchanges.length);
  return {
    report,
    original: new Map(report.exchanges.map((exchange, at) => [exchange.id, parseArrival(exchange, at)])),
  };
}

/** Returns what arrived for an exchange: in the order of sending, but for those of a burst, which are under way together. */
function parseArrival({ id, request }: RecordedExchange, at: number): Received {
  if (!id.includes("-in-burst")) return withoutConnection(arrivals[at]);
  const key = { none: "", wrong: "not-valid" }[String(request.credentials)] ?? apiKey;
  const path = new URL(request.url).pathname;
  const own = arrivals.slice(Math.max(0, at - longestBurst), at + longestBurst).find((arrival) => {
    const [, authorization = ""] = arrival.headers.find(([name]) => /^authorization$/i.test(name)) ?? [];
    const isAlike = arrival.method === request.method && arrival.path === path && arrival.body === (request.body ?? "");
    return isAlike && (key === "" ? authorization === "" : authorization.includes(key));
  });
  return withoutConnection(own);
}

const warnings: string[] = [];
process.on("warning", ({ name }) => warnings.push(name));

beforeAll(async () => {
  baseUrl = await listen(server);
  wrong = await judge();
  refuses = true;
  lenient = await judge();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function withoutConnection(arrival: (typeof arrivals)[number] | undefined): Received {
  if (!arrival) throw new Error("a request did not arrive");
  const { connection: _, ...rest } = arrival;
  return rest;
}

function findExchange({ report }: JudgedRun, id: string): RecordedExchange {
  const exchange = report.exchanges.find((candidate) => candidate.id === id);
  if (!exchange) throw new Error(`there is no exchange ${id}`);
  return exchange;
}

/** Runs the command of a failure: what came of it, and what should. */
async function replayed(
  run: JudgedRun,
  { exchange, command, notes }: Reproduction,
): Promise<[came: object, should: object]> {
  arrivals = [];
  connections.clear();
  const { stderr: errors } = await runInShell(command, { CLOUD_BROWSER_API_KEY: apiKey, HEADER_X_BYPASS: bypass });
  if (arrivals.length === 0) throw new Error(`nothing arrived of ${command}: ${errors}`);
  const isKept = findExchange(run, exchange).request.connection === "kept";
  const came = {
    exchange,
    errors,
    last: withoutConnection(arrivals.at(-1)),
    connections: new Set(arrivals.map(({ connection }) => connection)).size,
    tellsNumber: notes.join().includes(`${arrivals.length} requests`),
    holdsSecret: command.includes(apiKey) || command.includes("0815"),
  };
  const last = run.original.get(exchange);
  const should = { connections: isKept ? 1 : arrivals.length, tellsNumber: arrivals.length > 1, holdsSecret: false };
  return [came, { exchange, errors: "", last, ...should }];
}

describe("the command of a failure sends what the run sent, with the credentials that it sent,", () => {
  const targets = [
    { name: "to a target that is wrong in everything", getRun: () => wrong, kinds: ["key", "none", "wrong"] },
    {
      name: "to one that takes any piece of the key",
      getRun: () => lenient,
      kinds: ["key-first-half", "key-but-last", "empty"],
    },
  ];
  test.for(targets)("for every exchange with a finding, $name", async ({ getRun, kinds }) => {
    const { report } = getRun();
    const failed = report.checks.filter(({ status }) => status === "fail");
    const reproductions = failed.flatMap((check) => listReproductions(check, report, Infinity));
    const unlike = new Map(reproductions.map((reproduction) => [reproduction.exchange, reproduction]));
    const credentials = new Set([...unlike.keys()].map((id) => findExchange(getRun(), id).request.credentials));
    expect(unlike.size).toBeGreaterThan(100);
    expect([...credentials]).toEqual(expect.arrayContaining(kinds));
    for (const reproduction of unlike.values()) {
      const [came, should] = await replayed(getRun(), reproduction);
      expect(came).toEqual(should);
    }
  });

  test("for every other exchange, too", async () => {
    const failed = new Set(wrong.report.checks.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
    for (const exchange of wrong.report.exchanges.filter(({ id }) => !failed.has(id))) {
      const [came, should] = await replayed(wrong, makeReproduction(exchange, wrong.report.exchanges));
      expect(came).toEqual(should);
    }
  });
});

test("a request of the kept-alive connection is sent with all requests before it", async () => {
  const { report, original } = wrong;
  const keptAlive = report.exchanges.filter(({ request }) => request.connection === "kept");
  expect(keptAlive.length).toBeGreaterThan(5);
  const [came, should] = await replayed(
    wrong,
    makeReproduction(findExchange(wrong, keptAlive.at(-1)?.id ?? ""), report.exchanges),
  );
  expect(came).toEqual(should);
  expect(arrivals.map(withoutConnection)).toEqual(keptAlive.map(({ id }) => original.get(id)));
});

test("a connection that is kept gathers no listeners", () => {
  expect(warnings).not.toContain("MaxListenersExceededWarning");
});

test("a repetition is sent as often as the run sent it, each time over a connection of its own", async () => {
  const [came, should] = await replayed(
    wrong,
    makeReproduction(findExchange(wrong, "cookies/read-again-3"), wrong.report.exchanges),
  );
  expect(came).toEqual(should);
  expect(arrivals).toHaveLength(3);
});

test("a report tells the kind of credentials", () => {
  expect(findExchange(wrong, "scrape/with-wrong-key").request).toMatchObject({ credentials: "wrong" });
  expect(findExchange(wrong, "scrape/without-key").request).toMatchObject({ credentials: "none" });
});

test("the name of a header is no command", () => {
  const exchange = findExchange(wrong, "cookies/read");
  const headers = [["x-`id`$HOME", "[redacted]"]] as const;
  const { command, notes } = makeReproduction({ ...exchange, request: { ...exchange.request, headers } });
  expect(command).toContain(`'x-\`id\`$HOME: '"\${HEADER_X__ID__HOME:?}"`);
  expect(notes).toContain("It takes the value of a header from the environment variable HEADER_X__ID__HOME.");
});
