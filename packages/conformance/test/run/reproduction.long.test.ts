import { execFile } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeReproduction, listReproductions, type Reproduction } from "../../src/report/curl.ts";
import type { RecordedExchange, Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { listen } from "../listen.ts";

const apiKey = "repro-Key-0123456789";
const bypass = 'by\'pass "$HOME" 0815';

/** A request as it arrived. */
interface Arrival {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

let arrivals: (Arrival & { readonly connection: number })[] = [];
const connections = new Map<Socket, number>();

/** True when requests without a key or with an invalid key are refused; a part of the key counts as the key. */
let refuses = false;

/** Whatever is asked, the answer is wrong: one kind of wrong for each operation, and now and then another one. */
const server = createServer({ maxHeaderSize: 2 ** 20 }, (request, response) => {
  // Another test may look for a server of its own that has gone, and whose port this one has now.
  if (request.headers["x-bypass"] !== bypass) return void response.writeHead(404).end();
  return void readBody(request).then((body) => {
    const connection = connections.get(request.socket) ?? connections.size + 1;
    connections.set(request.socket, connection);
    const { method, url, rawHeaders } = request;
    arrivals.push({ method, path: decoded(url), headers: listHeaders(rawHeaders).map(decoded), body, connection });
    const given = request.headers.authorization ?? "";
    if (refuses && (given === "" || given.includes("not-valid"))) return response.writeHead(401).end("{}");
    const isStream = url?.includes("/automation/") === true;
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

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString("latin1");
}

/** Without those that belong to the connection; their order, and the case of the length's name, are curl's. */
function listHeaders(raw: readonly string[]): string[] {
  return raw
    .flatMap((name, at) =>
      at % 2 === 0 ? [`${name.replace(/^content-length$/i, "content-length")}: ${raw[at + 1]}`] : [],
    )
    .filter((line) => !/^(host|connection):/i.test(line))
    .sort();
}

/** Credentials in a query or a cookie may be percent-encoded more than is needed. */
const decoded = (text = ""): string => text.replace(/(?<=api_key=)[^&;]+/, decodeURIComponent);

function bash(command: string): Promise<string> {
  const env = { PATH: process.env["PATH"], LC_ALL: "C", CLOUD_BROWSER_API_KEY: apiKey, HEADER_X_BYPASS: bypass };
  return new Promise((resolve) => {
    const child = execFile("bash", [], { env, maxBuffer: 1e8 }, (_error, _stdout, stderr) => resolve(stderr));
    child.stdin?.end(command);
  });
}

/** The report of a run, and what arrived for each of its exchanges. */
interface Made {
  readonly report: Report;
  readonly original: ReadonlyMap<string, Arrival>;
}

let baseUrl: string;
let wrong: Made;
let lenient: Made;

/** No burst has more requests. */
const longestBurst = 8;

async function judge(): Promise<Made> {
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
function parseArrival({ id, request }: RecordedExchange, at: number): Arrival {
  if (!id.includes("-in-burst")) return withoutConnection(arrivals[at]);
  const key = { none: "", wrong: "not-valid" }[String(request.credentials)] ?? apiKey;
  const path = new URL(request.url).pathname;
  const own = arrivals.slice(Math.max(0, at - longestBurst), at + longestBurst).find((arrival) => {
    const given = arrival.headers.find((line) => /^authorization:/i.test(line)) ?? "";
    const isAlike = arrival.method === request.method && arrival.path === path && arrival.body === (request.body ?? "");
    return isAlike && (key === "" ? given === "" : given.includes(key));
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

function withoutConnection(arrival: (typeof arrivals)[number] | undefined): Arrival {
  if (!arrival) throw new Error("a request did not arrive");
  const { connection: _, ...rest } = arrival;
  return rest;
}

function findExchange({ report }: Made, id: string): RecordedExchange {
  const exchange = report.exchanges.find((candidate) => candidate.id === id);
  if (!exchange) throw new Error(`there is no exchange ${id}`);
  return exchange;
}

/** Runs the command of a failure: what came of it, and what should. */
async function replayed(
  made: Made,
  { exchange, command, notes }: Reproduction,
): Promise<[came: object, should: object]> {
  arrivals = [];
  connections.clear();
  const errors = await bash(command);
  if (arrivals.length === 0) throw new Error(`nothing arrived of ${command}: ${errors}`);
  const isKept = findExchange(made, exchange).request.connection === "kept";
  const came = {
    exchange,
    errors,
    last: withoutConnection(arrivals.at(-1)),
    connections: new Set(arrivals.map(({ connection }) => connection)).size,
    tellsNumber: notes.join().includes(`${arrivals.length} requests`),
    holdsSecret: command.includes(apiKey) || command.includes("0815"),
  };
  const last = made.original.get(exchange);
  const should = { connections: isKept ? 1 : arrivals.length, tellsNumber: arrivals.length > 1, holdsSecret: false };
  return [came, { exchange, errors: "", last, ...should }];
}

describe("the command of a failure sends what the run sent, with the credentials that it sent,", () => {
  const targets = [
    { name: "to a target that is wrong in everything", made: () => wrong, kinds: ["key", "none", "wrong"] },
    {
      name: "to one that takes any piece of the key",
      made: () => lenient,
      kinds: ["key-first-half", "key-but-last", "empty"],
    },
  ];
  test.for(targets)("for every exchange with a finding, $name", async ({ made, kinds }) => {
    const { report } = made();
    const failed = report.checks.filter(({ status }) => status === "fail");
    const reproductions = failed.flatMap((check) => listReproductions(check, report, Infinity));
    const unlike = new Map(reproductions.map((reproduction) => [reproduction.exchange, reproduction]));
    const seen = new Set([...unlike.keys()].map((id) => findExchange(made(), id).request.credentials));
    expect(unlike.size).toBeGreaterThan(100);
    expect([...seen]).toEqual(expect.arrayContaining(kinds));
    for (const reproduction of unlike.values()) {
      const [came, should] = await replayed(made(), reproduction);
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
  const kept = report.exchanges.filter(({ request }) => request.connection === "kept");
  expect(kept.length).toBeGreaterThan(5);
  const [came, should] = await replayed(
    wrong,
    makeReproduction(findExchange(wrong, kept.at(-1)?.id ?? ""), report.exchanges),
  );
  expect(came).toEqual(should);
  expect(arrivals.map(withoutConnection)).toEqual(kept.map(({ id }) => original.get(id)));
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
  const given = findExchange(wrong, "cookies/read");
  const headers = [["x-`id`$HOME", "[redacted]"]] as const;
  const { command, notes } = makeReproduction({ ...given, request: { ...given.request, headers } });
  expect(command).toContain(`'x-\`id\`$HOME: '"\${HEADER_X__ID__HOME:?}"`);
  expect(notes).toContain("It takes the value of a header from the environment variable HEADER_X__ID__HOME.");
});
