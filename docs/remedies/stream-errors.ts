import type { Outcome } from "../../packages/stream/src/reading/outcome.ts";
import type { StreamErrorCode } from "../../packages/stream/src/errors/stream-error.ts";

const lookFirst =
  "The run may go on, and be billed: look whether it ended, in the list of runs or the billing, before you start another one.";

/** What to do about each error of the stream reader, in Markdown. */
export const streamRemedies: Readonly<Record<StreamErrorCode, string>> = {
  "ended-early": `${lookFirst} Where a proxy is between you and the service, look at its limit for long responses.`,
  "connection-lost": `\`cause\` is the error of the connection. ${lookFirst}`,
  "first-event-timeout": `Raise \`timeouts.firstEventMs\` if the service takes so long to begin. ${lookFirst}`,
  "bytes-timeout": `Nothing at all arrived: the connection is dead, or a proxy holds the response back. Switch its buffering off, or raise \`timeouts.bytesMs\`. ${lookFirst}`,
  "events-timeout": `The connection lives, and the run says nothing. Raise \`timeouts.eventsMs\` if steps take so long. ${lookFirst}`,
  "total-timeout": `Raise \`timeouts.totalMs\`, or give the agent a smaller task. ${lookFirst}`,
  "invalid-json":
    "A data line of the service has no JSON. Leave `damage` at `report` to go on without it, and judge the service: `conformance run --profile full`.",
  "missing-type":
    "An event of the service has no `type`. Leave `damage` at `report` to go on without it, and judge the service: `conformance run --profile full`.",
  "event-too-large": `Raise \`maxEventBytes\` if events may be so large. ${lookFirst}`,
  "not-a-stream":
    "Look at `error.head`, and don't log it: a body of JSON or HTML came. Mostly the address is wrong, or a proxy answered.",
  "http-status":
    "Look at `status`: 401 is the key, 404 the address or the word in its path, 502 an agent that failed to start.",
  aborted: `Your own signal aborted; \`cause\` is its reason. ${lookFirst}`,
  misuse: "The program is wrong, and the message says where: a stream is read once, by one reader.",
};

/** What each outcome of a stream means, and what to do then, in Markdown. */
export const outcomeRemedies: Readonly<Record<Outcome["type"], { readonly means: string; readonly remedy: string }>> = {
  done: {
    means:
      "The agent finished; the event has the cost in US dollars and, where one was created, the id of the function that repeats the run.",
    remedy:
      "Take the answer from the snapshot of the stream. That the agent finished does not say that its answer is right: check what matters.",
  },
  error: {
    means: "The run failed after the stream connected; its event says why. The HTTP status stays 200.",
    remedy:
      "Look at the `error` of the event: the codes of this repository's service are in [errors of automations](/errors/automation/). What was used so far is billed.",
  },
  timeout: {
    means: "The run took longer than the service allows.",
    remedy: "Give a smaller task, or divide it. Where the service is yours, raise `--run-limit`.",
  },
  cancelled: {
    means: "Somebody stopped the run.",
    remedy: "Nothing, if it was you. What was used so far is billed.",
  },
  broken: {
    means: "Reading failed before one of the four terminal events; `error` is a `StreamError`.",
    remedy:
      "Look its code up in [errors of the stream](/errors/stream/). The run may go on, and be billed: never start it again before you have looked.",
  },
  left: {
    means: "Your program stopped reading before the end, by `break`, `cancel()` or `await using`.",
    remedy:
      "Nothing, if that was meant. Whether the service then cancels the run is not shown in the interface: it may go on, and be billed.",
  },
};
