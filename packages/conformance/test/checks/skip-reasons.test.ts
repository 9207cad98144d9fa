/** Why a check was skipped is true: what a reason says of all answers of a run holds for each of them. */
import { beforeAll, describe, expect, test } from "vitest";
import type { CheckResult, Report } from "../../src/report/report.ts";
import { NeedsSocket } from "../kills/memory.ts";
import { tryService } from "../kills/trial.ts";
import { runSuite as runOnPages } from "../pages/run-suite.ts";
import type { Twist } from "../pages/site-server.ts";
import { isObject, json, findOperation, words, type Answer, type ReceivedRequest } from "../targets/messages.ts";
import { images, recording, runEndingIn, type Ending } from "../targets/content.ts";
import { correctService, type Service } from "../targets/service.ts";

type Operation = NonNullable<ReturnType<typeof findOperation>>;

const instead = (operation: Operation, to: (answer: Answer, request: ReceivedRequest) => Answer): Partial<Service> => ({
  revises: (answer, request) =>
    findOperation(request) === operation && answer.status === 200 ? to(answer, request) : answer,
});
const failing = (operation: Operation, status: number): Partial<Service> =>
  instead(operation, () => json(status, { detail: "no" }));
const endingIn = (ending: Ending): Partial<Service> => ({ run: () => runEndingIn(ending) });

interface Server {
  readonly parts: Partial<Service>;
  /** The checks that judge it: those of the operation in whose answers it differs from a correct one. */
  readonly only: readonly string[];
}

const ofOperation = (operation: string, all: Readonly<Record<string, Partial<Service>>>): [string, Server][] =>
  Object.entries(all).map(([does, parts]) => [does, { parts, only: [`operation:${operation}`] }]);

/** Servers that leave things out, each in a way of its own. */
const servers: Readonly<Record<string, Server>> = Object.fromEntries([
  ...ofOperation("*", {
    "is correct": {},
    "admits everybody": { admits: () => true },
    "admits nobody": { admits: () => false },
  }),
  ...ofOperation("automation_start", {
    "ends its runs with an error": endingIn("error"),
    "ends its runs by a timeout": endingIn("timeout"),
    "cancels its runs": endingIn("cancelled"),
    "sends no events of tools": {
      run: () => runEndingIn("done").filter(({ type }) => type !== "tool_start" && type !== "tool_result"),
    },
    "sends runs in words": instead("automation", () => words(200, "done")),
    "sends nothing for runs": instead("automation", () => words(200, "")),
    "starts no runs": failing("automation", 502),
  }),
  ...ofOperation("session_cookies", {
    "has no cookies": { cookies: () => ({ cookies: [] }) },
    "has cookies without fields": { cookies: () => ({ cookies: [{}] }) },
    "has no list of cookies": { cookies: () => ({}) },
    "fails to read cookies": failing("cookies", 500),
    "sends cookies in words": instead("cookies", () => words(200, "sid=1")),
    "redirects reads of cookies": instead("cookies", () => ({ status: 307, headers: { location: "/x" }, pieces: [] })),
  }),
  ...ofOperation("page_scrape", {
    "sends neither images nor structured data": { scrapes: () => ({ markdown: "# Ferries" }) },
    "has one image without a category": {
      scrapes: () => ({ markdown: "", images: images.slice(0, 1).map(({ url = null }) => ({ url })) }),
    },
    "fails to scrape": failing("scrape", 500),
    "fails to scrape sometimes": instead("scrape", (answer, { body }) =>
      body.length % 2 === 0 ? answer : json(500, { detail: "no" }),
    ),
  }),
  ...ofOperation("session_replay", {
    "has lost the recording": failing("replay", 404),
    "has not made the recording": failing("replay", 202),
    "sends a recording without fields": { recording: () => ({}) },
    "tells the expiry as a day": { recording: () => ({ ...recording, expires_at: "2036-11-21" }) },
  }),
]);

const reports = new Map<string, Report>();

beforeAll(async () => {
  for (const [does, server] of Object.entries(servers)) reports.set(does, await judgeServer(server));
});

async function judgeServer({ parts, only }: Server): Promise<Report> {
  try {
    return await tryService({ ...correctService, ...parts }, { options: { only } });
  } catch (error) {
    if (error instanceof NeedsSocket) throw new Error("these servers need no socket", { cause: error });
    throw error;
  }
}

type Answered = Report["exchanges"][number];

/** The answers to an operation that have a status. */
const withStatus = (report: Report, { operation }: CheckResult, status: number): Answered[] =>
  report.exchanges.filter((exchange) => exchange.operation === operation && exchange.response?.status === status);

const readBody = ({ response }: Answered): string => response?.body ?? "";

/** The events of all streams of a run. */
function listEvents(report: Report): Readonly<Record<string, unknown>>[] {
  return report.exchanges
    .filter(({ operation, response }) => operation === "automation_start" && response?.status === 200)
    .flatMap((exchange) => readBody(exchange).split("\n"))
    .filter((line) => line.startsWith("data: {"))
    .map((line) => {
      const event: unknown = JSON.parse(line.slice("data: ".length));
      return isObject(event) ? event : {};
    });
}

/** Every value that a path of a reason leads to in an answer. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (step === "*") return Array.isArray(value) ? value.flatMap((one: unknown) => valuesAt(one, rest)) : [];
  return isObject(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns what contradicts a reason, in words; undefined when it is true. */
type Contradiction = (report: Report, check: CheckResult, captures: readonly string[]) => string | undefined;

const findId = (some: readonly { readonly id: string }[]): string | undefined => some[0]?.id;

/** The first request of the operations that are read again. */
const firstReads: ReadonlyMap<string, string> = new Map([
  ["page_scrape", "scrape/defaults"],
  ["session_cookies", "cookies/read"],
]);

/** Returns whether a request was sent without the valid key. */
const isStranger = ({ id }: Answered): boolean => /with-(wrong-)?key|without-key|credentials-/.test(id);

/** Reasons about a whole run. */
const claims: readonly (readonly [RegExp, Contradiction])[] = [
  [/^No run was answered with 200\.$/, (report, check) => findId(withStatus(report, check, 200))],
  [
    /^No (?:response had the status|replay was answered with|request was answered with|valid request was answered with) (\d+)/,
    (report, check, [status]) =>
      findId(withStatus(report, check, Number(status)).filter(({ id }) => check.exchanges.includes(id))),
  ],
  [
    /^No stream ended with (\w+)\.$/,
    (report, _, [type]) => (listEvents(report).at(-1)?.["type"] === type ? type : undefined),
  ],
  [
    /^No stream carried an event of the type (\w+)\.$/,
    (report, _, [type]) => (listEvents(report).some((event) => event["type"] === type) ? type : undefined),
  ],
  [
    /^No event carried `(\w+)`\.$/,
    (report, _, [name = ""]) => (JSON.stringify(listEvents(report)).includes(`"${name}":`) ? name : undefined),
  ],
  [
    /^No answer carried (\/\S+)\.$/,
    (report, check, [path = ""]) =>
      findId(
        withStatus(report, check, 200).filter(
          (exchange) => valuesAt(parsed(readBody(exchange)), path.slice(1).split("/")).length > 0,
        ),
      ),
  ],
  [
    /^No `(\w+)` came\.$/,
    (report, check, [name = ""]) =>
      findId(withStatus(report, check, 200).filter((one) => valuesAt(parsed(readBody(one)), [name]).length > 0)),
  ],
  [
    /^It did not succeed the first time\.$/,
    (report, { operation }) => {
      const first = firstReads.get(operation) ?? "replay/read";
      return report.exchanges.find(({ id }) => id === first)?.response?.status === 200 ? first : undefined;
    },
  ],
  [
    /^(?:The plain|Another) request without the valid key is accepted/,
    (report, { operation }) =>
      report.exchanges.some((one) => one.operation === operation && isStranger(one) && one.response?.status === 200)
        ? undefined
        : "none is",
  ],
  [
    /^The target answered with a redirect/,
    (report, check) => (check.exchanges.some((id) => isRedirect(report, id)) ? undefined : "no redirect"),
  ],
  [
    /^The budget of (\d+) automation run/,
    (report) =>
      report.exchanges.some(({ operation, response }) => operation === "automation_start" && response?.status === 200)
        ? undefined
        : "no run",
  ],
];

const isRedirect = (report: Report, exchange: string): boolean =>
  report.exchanges.some(
    ({ id, response }) => id === exchange && (response?.status ?? 0) >= 300 && (response?.status ?? 0) < 400,
  );

/** The reasons of a run that something in it contradicts. */
function falseReasons(report: Report): string[] {
  return report.checks.flatMap((check) => {
    if (check.status !== "skip") return [];
    const { reason = "" } = check;
    return claims.flatMap(([pattern, contradiction]) => {
      const match = pattern.exec(reason);
      const by = match ? contradiction(report, check, match.slice(1)) : undefined;
      return by === undefined ? [] : [`${check.id}: ${reason} (${by})`];
    });
  });
}

describe("a server that", () => {
  test.for(Object.keys(servers))("%s is told no false reason", (does) => {
    const report = reports.get(does);
    expect(report && falseReasons(report)).toEqual([]);
  });
});

test("each claim is made of one of these servers at least", () => {
  const reasons = [...reports.values()].flatMap(({ checks }) => checks.map(({ reason = "" }) => reason));
  expect(claims.filter(([pattern]) => !reasons.some((reason) => pattern.test(reason))).map(String)).toEqual([]);
});

/** Reason of one check on one server. */
const expectedReasons: readonly (readonly [does: string, check: string, reason: string])[] = [
  ["is correct", "stream/nothing-after-error", "No stream ended with error."],
  ["is correct", "event/timeout-reason-present", "No stream carried an event of the type timeout."],
  ["ends its runs with an error", "event/any-thread_id-valid", "No event carried `thread_id`."],
  ["starts no runs", "stream/line-form", "No run was answered with 200."],
  ["has no cookies", "cookies/cookie-name-type", "No answer carried /cookies/*/name."],
  ["has no cookies", "cookies/fields-not-null", "No answer carried a field of a cookie."],
  ["fails to read cookies", "cookies/status-200-every-time", "It did not succeed the first time."],
  ["sends cookies in words", "cookies/body-type", "The response has a body that is not JSON."],
  ["sends neither images nor structured data", "scrape/image-category-valid", "No answer carried /images/*/category."],
  ["has not made the recording", "replay/mp4_url-present", "No response had the status 200."],
  ["tells the expiry as a day", "replay/expires_at-to-the-letter", "`expires_at` is written in another form."],
];

test.for(expectedReasons)("a server that %s: %s is skipped because: %s", ([does, id, reason]) => {
  const check = reports.get(does)?.checks.find((one) => one.id === id);
  expect(check).toMatchObject({ status: "skip", reason });
});

/** Reason of one check on a server whose sessions are on known pages; no reason where it is judged. */
const toldOnPages: readonly (readonly [does: string, twist: Twist, check: string, reason: string | undefined])[] = [
  [
    "fails to scrape without images",
    { scrapeStatus: (request) => (request.scrape_images === false ? 500 : 200) },
    "page/scrape_images-default",
    undefined,
  ],
  [
    "fails to scrape with links",
    { scrapeStatus: (request) => (request.scrape_links === true ? 500 : 200) },
    "page/scrape_links-default",
    undefined,
  ],
  [
    "drops the links always",
    { options: (options) => ({ ...options, scrape_links: false }) },
    "page/scrape_links-default",
    "Some links are missing when they are asked for by name, too.",
  ],
  [
    "lists images always",
    { options: (options) => ({ ...options, scrape_images: true }) },
    "page/scrape_images-default",
    "Images came when none were asked for by name, too.",
  ],
  [
    "finds no structure",
    { scrape: (answer) => ({ ...answer, structured: null }) },
    "page/structured-follows-schema",
    "The response has no structured data.",
  ],
  [
    "ignores the tags to ignore",
    { options: (options) => ({ ...options, ignored_tags: null }) },
    "page/ignored_tags-are-left-out",
    "The option has no effect; another check reports that.",
  ],
  [
    "gives an MP4 that is none",
    { file: (name, answer) => (name.endsWith("mp4") ? { ...answer, body: "no movie" } : answer) },
    "recording/mp4-has-video",
    "The MP4 has no tracks that can be read.",
  ],
  [
    "does not let the MP4 be downloaded",
    { file: (name, answer) => (name.endsWith("mp4") ? { ...answer, status: 403 } : answer) },
    "recording/mp4-is-mp4",
    "The MP4 was not downloaded.",
  ],
];

test.for(toldOnPages)("on pages a server that %s is told why, or judged", async ([, twist, id, reason]) => {
  const { checks } = await runOnPages(twist, { only: [id.replace(/-.*/, "-*")] });
  const { status, reason: text } = checks.find((one) => one.id === id) ?? {};
  expect({ status, reason: text }).toEqual(
    reason === undefined ? { status: "pass", reason: undefined } : { status: "skip", reason },
  );
});
