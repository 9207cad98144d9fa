/** Cookies, recordings, runs and keys whose fault shows only sometimes. */
import { listMembers, findSession, type ReceivedRequest, type Fields } from "../messages.ts";
import { cookies, recording, runEndingIn, threadId } from "../content.ts";
import type { How } from "../faulty-target.ts";
import { admits, field, of } from "../parts.ts";
import { apiKey, endedSession, findToken } from "../service.ts";
import {
  after,
  answers,
  every,
  everyRun,
  keyless,
  later,
  listTargets,
  listRevised,
  version,
  when,
  type SometimesTarget,
} from "./circumstances.ts";

/** Streams of sixty pieces of text, the fiftieth of which is wrong. */
const longRun =
  (wrong: Fields): How =>
  () => ({
    run: () => {
      const all = runEndingIn("done");
      const pieces = Array.from({ length: 60 }, (_, at): Fields => ({ type: "text_delta", delta: `${at} ` }));
      return [...all.slice(0, 5), ...pieces.with(49, wrong), ...all.slice(5)];
    },
  });

const token = (request: ReceivedRequest): string => findToken(request) ?? "";
const notAllowed = answers(401, { detail: "not allowed" });
/** A read, or a scrape without options. */
const isPlainRequest = ({ body }: ReceivedRequest): boolean => body === "" || body === "{}";
const ofEnded = when("for the session that has ended", (request) => findSession(request) === endedSession);

/** Takes any value of a field of a page scrape when another one is there. */
const takes =
  (name: string, beside: string): How =>
  () => ({
    problems: (found, request) =>
      listMembers(request).has(beside) ? found.filter(({ loc }) => loc[1] !== name) : found,
  });

const others: readonly SometimesTarget[] = [
  ...listRevised(of("cookies", 200), [
    ["cookies-missing", "cookies.body", field("cookies"), later],
    ["cookies-are-a-bare-list", "cookies.body", answers(200, [...cookies]), ofEnded],
    ["cookies-answers-200-and-204", "cookies.status-200", () => ({ status: 204, headers: {}, pieces: [] }), every(2)],
    [
      "cookie-expires-is-a-word",
      "cookies.cookie.expires.type",
      field("cookies", [...cookies, { expires: "never" }]),
      every(4),
    ],
  ]),
  ...listRevised(of("scrape", 200), [
    ["markdown-missing-once-ended", "scrape.response.markdown.required", field("markdown"), ofEnded],
  ]),
  ...listTargets([
    [
      "instructions-not-validated",
      "beside a format",
      "scrape.request.instructions.type",
      takes("instructions", "response_format"),
    ],
    [
      "images-flag-not-validated",
      "beside ignored tags",
      "scrape.request.scrape_images.type",
      takes("scrape_images", "ignored_tags"),
    ],
  ]),
  ...listRevised(of("replay", 200), [
    [
      "expiry-without-offset",
      "replay.expires_at.iso-8601-with-offset",
      field("expires_at", "2036-11-21T09:30:00"),
      every(3),
    ],
    [
      "duration-is-a-fraction",
      "replay.video_duration_ms.type",
      field("video_duration_ms", Number(recording["video_duration_ms"]) + 0.5),
      later,
    ],
  ]),
  ...(["scrape", "cookies", "replay"] as const).flatMap((word) =>
    listRevised(of(word, 200), [
      [`${word}-refuses-the-key-later`, "auth.session.bearer-header", notAllowed, isPlainRequest, after(1)],
    ]),
  ),
  ...listTargets([
    [
      "key-that-begins-alike",
      "at the cookies, after sixteen letters",
      "cookies.requires-authentication",
      () => admits("cookies", (request) => token(request).slice(0, 16) === apiKey.slice(0, 16)),
    ],
  ]),
  ...listRevised(of("replay", 200), [["replay-answers-200-and-500", "replay.status-200", answers(500), every(2)]]),
  ...listRevised(of("automation", 401), [
    [
      "wrong-key-answers-403",
      "automation.401-invalid-key",
      answers(403),
      (request) => token(request).startsWith("cloud-browser"),
      every(2),
    ],
    ["missing-key-answers-400", "automation.401-missing-key", answers(400), keyless, version],
  ]),
  ...listRevised(of("automation", 400), [
    [
      "missing-query-answers-400-and-422",
      "automation.400-query-missing",
      answers(422),
      ({ body }) => body === "{}",
      every(2),
    ],
    [
      "broken-json-answers-400-and-500",
      "automation.400-invalid-json",
      answers(500),
      ({ body }) => body.startsWith('{"query"'),
      every(3),
    ],
  ]),
  ...listTargets([
    ["event-without-delta", "in one event of sixty", "event.text_delta.delta", longRun({ type: "text_delta" })],
    ["event-without-type", "in one event of sixty", "stream.event-has-type", longRun({ delta: "49 " })],
    [
      "event-of-an-unknown-type-at-times",
      "in one event of sixty",
      "stream.known-types",
      longRun({ type: "text-delta", delta: "49 " }),
    ],
  ]),
];

const inSecond = "in every second run";

/** Only seen by those who allow two runs. */
const secondRuns: readonly SometimesTarget[] = [
  ...listRevised(of("automation", 200), [
    ["second-run-refuses-the-key", "auth.automation.bearer-header", notAllowed, every(2)],
  ]),
  ...listTargets([
    ["second-run-without-an-end", inSecond, "stream.one-terminal-event", everyRun(2, (events) => events.slice(0, -1))],
    [
      "second-run-without-a-cost",
      inSecond,
      "limits.cost-reported",
      everyRun(2, (events) => [...events.slice(0, -1), { type: "done", metadata: { thread_id: threadId } }]),
    ],
    [
      "second-run-goes-on",
      inSecond,
      "event.done.terminal",
      everyRun(2, (events) => [...events, { type: "status", status: "late" }]),
    ],
  ]),
];

export const sometimesOthers: readonly SometimesTarget[] = [
  ...others,
  ...secondRuns.map((target): SometimesTarget => Object.assign(target, { maxRuns: 2 })),
];
