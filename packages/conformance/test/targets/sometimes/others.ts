/** Cookies, recordings, runs and keys whose fault shows only sometimes. */
import { json, listMembers, findSession, type Asked, type Fields, type Json } from "../asked.ts";
import { cookies, recording, runEndingIn, threadId } from "../content.ts";
import type { How } from "../faulty-target.ts";
import { apiKey, endedSession, findToken } from "../service.ts";
import {
  admits,
  after,
  answers,
  every,
  everyRun,
  header,
  keyless,
  later,
  revise,
  reviseAt,
  listTargets,
  type SometimesRow,
  type SometimesTarget,
} from "./circumstances.ts";
import { field, of } from "../parts.ts";

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

const token = (asked: Parameters<typeof findToken>[0]): string => findToken(asked) ?? "";
const invalid = of("automation", 401);
const noRun = of("automation", 400);

const notAllowed = answers(json(401, { detail: "not allowed" }));

/** A read, or a scrape without options. */
const isPlainRequest = ({ body }: Asked): boolean => body === "" || body === "{}";

const isOfEnded = (asked: Asked): boolean => findSession(asked) === endedSession;

/** Takes any value of a field of a page scrape when something is true of the others. */
const takes =
  (name: string, when: (options: ReadonlyMap<string, Json>) => boolean): How =>
  () => ({
    problems: (found, asked) => (when(listMembers(asked)) ? found.filter(({ loc }) => loc[1] !== name) : found),
  });

const others = listTargets([
  [
    "cookies-missing",
    "in the second answer of a connection",
    "cookies.body",
    revise(field("cookies"), of("cookies", 200), later),
  ],
  [
    "cookies-are-a-bare-list",
    "for the session that has ended",
    "cookies.body",
    revise(answers(json(200, [...cookies])), of("cookies", 200), isOfEnded),
  ],
  [
    "markdown-missing-once-ended",
    "for the session that has ended",
    "scrape.response.markdown.required",
    revise(field("markdown"), of("scrape", 200), isOfEnded),
  ],
  [
    "instructions-not-validated",
    "beside a format",
    "scrape.request.instructions.type",
    takes("instructions", (options) => options.has("response_format")),
  ],
  [
    "images-flag-not-validated",
    "beside ignored tags",
    "scrape.request.scrape_images.type",
    takes("scrape_images", (options) => options.has("ignored_tags")),
  ],
  [
    "cookies-answers-200-and-204",
    "every second time",
    "cookies.status-200",
    reviseAt(every(2), answers({ status: 204, headers: {}, pieces: [] }), of("cookies", 200)),
  ],
  [
    "cookie-expires-is-a-word",
    "in every fourth read",
    "cookies.cookie.expires.type",
    reviseAt(every(4), field("cookies", [...cookies, { expires: "never" }]), of("cookies", 200)),
  ],
  [
    "expiry-without-offset",
    "in every third read",
    "replay.expires_at.iso-8601-with-offset",
    reviseAt(every(3), field("expires_at", "2036-11-21T09:30:00"), of("replay", 200)),
  ],
  [
    "duration-is-a-fraction",
    "on a connection that was used before",
    "replay.video_duration_ms.type",
    revise(field("video_duration_ms", Number(recording["video_duration_ms"]) + 0.5), of("replay", 200), later),
  ],
  ...(["scrape", "cookies", "replay"] as const).map((word): SometimesRow => [
    `${word}-refuses-the-key-later`,
    "every time but the first",
    "auth.session.bearer-header",
    reviseAt(after(1), notAllowed, of(word, 200), isPlainRequest),
  ]),
  [
    "key-that-begins-alike",
    "at the cookies, after sixteen letters",
    "cookies.requires-authentication",
    admits("cookies", (asked) => token(asked).slice(0, 16) === apiKey.slice(0, 16)),
  ],
  [
    "replay-answers-200-and-500",
    "every second time",
    "replay.status-200",
    reviseAt(every(2), answers(json(500, {})), of("replay", 200)),
  ],
  [
    "wrong-key-answers-403",
    "every second time",
    "automation.401-invalid-key",
    reviseAt(every(2), answers(json(403, {})), invalid, (asked) => token(asked).startsWith("cloud-browser")),
  ],
  [
    "missing-key-answers-400",
    "for requests that tell the version of their SDK",
    "automation.401-missing-key",
    revise(answers(json(400, {})), invalid, keyless, header("x-service-sdk-version")),
  ],
  [
    "missing-query-answers-400-and-422",
    "every second time",
    "automation.400-query-missing",
    reviseAt(every(2), answers(json(422, {})), noRun, ({ body }) => body === "{}"),
  ],
  [
    "broken-json-answers-400-and-500",
    "every third time",
    "automation.400-invalid-json",
    reviseAt(every(3), answers(json(500, {})), noRun, ({ body }) => body.startsWith('{"query"')),
  ],
  ["event-without-delta", "in one event of sixty", "event.text_delta.delta", longRun({ type: "text_delta" })],
  ["event-without-type", "in one event of sixty", "stream.event-has-type", longRun({ delta: "49 " })],
  [
    "event-of-an-unknown-type-at-times",
    "in one event of sixty",
    "stream.known-types",
    longRun({ type: "text-delta", delta: "49 " }),
  ],
]);

/** Only seen by those who allow two runs. */
const secondRuns = listTargets([
  [
    "second-run-refuses-the-key",
    "in every second run",
    "auth.automation.bearer-header",
    reviseAt(every(2), notAllowed, of("automation", 200)),
  ],
  [
    "second-run-without-an-end",
    "in every second run",
    "stream.one-terminal-event",
    everyRun(2, (events) => events.slice(0, -1)),
  ],
  [
    "second-run-without-a-cost",
    "in every second run",
    "limits.cost-reported",
    everyRun(2, (events) => [...events.slice(0, -1), { type: "done", metadata: { thread_id: threadId } }]),
  ],
  [
    "second-run-goes-on",
    "in every second run",
    "event.done.terminal",
    everyRun(2, (events) => [...events, { type: "status", status: "late" }]),
  ],
]);

export const sometimesOthers: readonly SometimesTarget[] = [
  ...others,
  ...secondRuns.map((target): SometimesTarget => Object.assign(target, { maxRuns: 2 })),
];
