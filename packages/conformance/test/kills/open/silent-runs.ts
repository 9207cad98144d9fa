/** Correct servers that use what the interface is silent about in runs: how events come, how often, and what they hold. */
import { inPieces, text } from "../../targets/changes.ts";
import { functionId, runEndingIn, threadId } from "../../targets/content.ts";
import type { Fields } from "../../targets/messages.ts";
import { ending, events, revise, run } from "../../targets/parts.ts";
import type { Parts, Service } from "../../targets/service.ts";
import { leaveOpen, type OpenServer } from "./open-server.ts";

const addDeltas = (...texts: string[]): Parts =>
  run((all) => [...texts.map((delta): Fields => ({ type: "text_delta", delta })), ...all]);

/** Returns runs, each with its number. */
const numberRuns = (make: (time: number) => Fields[]): Service["run"] => {
  let time = 0;
  return () => make((time += 1));
};

/** A run that has identifiers of its own. */
const makeAnother = (time: number): Fields[] => {
  const all = JSON.stringify(runEndingIn("done"))
    .replaceAll(functionId, functionId.replace(/.$/, String(time % 10)))
    .replaceAll(threadId, threadId.replace(/.$/, String(time % 10)));
  return JSON.parse(all);
};

/** A run that uploads a function when it is the first one. */
const makeOnce = (time: number): Fields[] => {
  const all = runEndingIn("done");
  if (time === 1) return all;
  return all.filter(({ type }) => type !== "function_uploaded").map(({ function_id: _, ...event }): Fields => event);
};

/** The table. */
export const silentRuns: readonly OpenServer[] = [
  ...leaveOpen({
    "open.stream.delivery": {
      "sends all events in one piece": revise(
        "run",
        text((body) => body),
      ),
      "sends events letter by letter": revise(
        "run",
        inPieces((pieces) => pieces.flatMap((piece) => String(piece).split(/(?<=\})/))),
      ),
    },
    "open.stream.repeated-types": {
      "tells its browser session twice": run((all) => [...all.slice(0, 2), ...all.slice(1)]),
      "tells no browser session": run((all) => all.filter(({ type }) => type !== "notte_session_data")),
    },
    "open.event.delta-composition": {
      "repeats in each delta what came before": addDeltas("The next", "The next ferry", "The next ferry leaves"),
      "sends empty deltas": addDeltas("", "The next ferry", ""),
    },
    "open.event.tool-names": {
      "names tools by addresses": events("tool_start", { name: "https://tools.example/browse#v2" }),
      "has tools without a name": events("tool_start", { name: "" }),
    },
    "open.event.viewer_url-form": {
      "has a viewer on its own host": events("notte_session_data", { viewer_url: "/viewer/7c1d" }),
      "has a viewer over a socket": events("notte_session_data", { viewer_url: "wss://viewer.example/s?token=b6f0" }),
    },
    "open.event.metadata-fields": {
      "tells the model and the steps of a run": events("done", {
        metadata: { thread_id: threadId, model: "m-7", steps: 12 },
      }),
      "tells more of a run, deep inside": events("done", {
        metadata: { thread_id: threadId, usage: { tokens: [1, 2] } },
      }),
    },
    "open.limits.cost-of-other-ends": {
      "tells the cost of a run that failed": ending("error", { total_cost_usd: 0.02 }),
      "tells the cost of a run that timed out, which is nothing": ending("timeout", { total_cost_usd: 0 }),
      "tells no cost of a run that was cancelled": ending("cancelled", {}),
    },
  }),
  ...leaveOpen(
    {
      "open.automation.same-query-again": {
        "makes another function of the same task": { run: numberRuns(makeAnother) },
        "makes no function of a task that it knows": { run: numberRuns(makeOnce) },
      },
    },
    8,
  ),
];
