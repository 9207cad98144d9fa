/** Cookies, recordings, runs and keys whose fault shows only sometimes. */
import { admit, give, instead, refuse, set } from "../changes.ts";
import { after, every, later, version, when } from "../circumstances.ts";
import { hasAnotherKey, inBody, isKeyless, isOfEnded, token } from "../conditions.ts";
import { cookies, runEndingIn } from "../content.ts";
import { breakAnswers, breakService, type Fault } from "../fault.ts";
import { empty, json, listMembers, type Fields } from "../messages.ts";
import { apiKey, type Parts } from "../service.ts";
import { append, drop, setInEvents } from "../stream-changes.ts";

/** Streams of sixty pieces of text, the fiftieth of which is wrong. */
const runLong = (wrong: Fields): Parts => ({
  run: () => {
    const all = runEndingIn("done");
    const pieces = Array.from({ length: 60 }, (_, at): Fields => ({ type: "text_delta", delta: `${at} ` }));
    return [...all.slice(0, 5), ...pieces.with(49, wrong), ...all.slice(5)];
  },
});

const notAllowed = refuse(401, "not allowed");
const ofEnded = when("for the session that has ended", (request) => isOfEnded(request, empty(0)));
const inSecond = every(2, "in every second run");

/** Takes any value of a field of a page scrape when another one is there. */
const takesBeside = (name: string, beside: string): Parts => ({
  problems: (found, request) => (listMembers(request).has(beside) ? found.filter(({ loc }) => loc[1] !== name) : found),
});

export const sometimesOthers: readonly Fault[] = [
  ...breakAnswers("cookies", {
    "cookies.body": {
      "cookies-missing": [set("cookies"), later],
      "cookies-are-a-bare-list": [give([...cookies]), ofEnded],
    },
    "cookies.status-200 cookies-answers-200-and-204": [instead(empty(204)), every(2)],
    "cookies.cookie.expires.type cookie-expires-is-a-word": [set("cookies/+", { expires: "never" }), every(4)],
  }),
  ...breakAnswers("scrape", {
    "scrape.response.markdown.required markdown-missing-once-ended": [set("markdown"), ofEnded],
  }),
  ...breakService(
    {
      "scrape.request.instructions.type instructions-not-validated": takesBeside("instructions", "response_format"),
    },
    { when: "beside a format" },
  ),
  ...breakService(
    {
      "scrape.request.scrape_images.type images-flag-not-validated": takesBeside("scrape_images", "ignored_tags"),
    },
    { when: "beside ignored tags" },
  ),
  ...breakAnswers("replay", {
    "replay.expires_at.iso-8601-with-offset": {
      "expiry-without-offset": [set("expires_at", "2036-11-21T09:30:00"), every(3)],
    },
    "replay.video_duration_ms.type duration-is-a-fraction": [set("video_duration_ms", (ms) => Number(ms) + 0.5), later],
    "replay.status-200 replay-answers-200-and-500": [instead(json(500, {})), every(2)],
  }),
  ...(["scrape", "cookies", "replay"] as const).flatMap((door) =>
    breakAnswers(door, {
      "auth.session.bearer-header": { [`${door}-refuses-the-key-later`]: [notAllowed, inBody(/^(\{\})?$/), after(1)] },
    }),
  ),
  ...breakAnswers(
    "cookies-stranger",
    {
      "cookies.requires-authentication": {
        "key-that-begins-alike": [admit, (request) => token(request).slice(0, 16) === apiKey.slice(0, 16)],
      },
    },
    { when: "at the cookies, after sixteen letters" },
  ),
  ...breakAnswers("run-stranger", {
    "automation.401-invalid-key wrong-key-answers-403": [instead(json(403, {})), hasAnotherKey, every(2)],
    "automation.401-missing-key missing-key-answers-400": [instead(json(400, {})), isKeyless, version],
  }),
  ...breakAnswers("run-refused", {
    "automation.400-query-missing": {
      "missing-query-answers-400-and-422": [instead(json(422, {})), inBody(/^\{\}$/), every(2)],
    },
    "automation.400-invalid-json": {
      "broken-json-answers-400-and-500": [instead(json(500, {})), inBody(/^\{"query"/), every(3)],
    },
  }),
  ...breakService(
    {
      "event.text_delta.delta event-without-delta": runLong({ type: "text_delta" }),
      "stream.event-has-type event-without-type": runLong({ delta: "49 " }),
      "stream.known-types event-of-an-unknown-type-at-times": runLong({ type: "text-delta", delta: "49 " }),
    },
    { when: "in one event of sixty" },
  ),
  // Only seen by those who allow two runs.
  ...breakAnswers(
    "run",
    {
      "auth.automation.bearer-header second-run-refuses-the-key": [notAllowed, every(2)],
      "stream.one-terminal-event second-run-without-an-end": [drop(), inSecond],
      "limits.cost-reported second-run-without-a-cost": [setInEvents("done", "total_cost_usd"), inSecond],
      "event.done.terminal second-run-goes-on": [append({ type: "status", status: "late" }), inSecond],
    },
    { maxRuns: 2 },
  ),
];
