/** Correct servers that use what the interface is silent about in runs: how events come, how often, and what they hold. */
import type { Fields } from "../../targets/messages.ts";
import { functionId, runEndingIn, threadId } from "../../targets/content.ts";
import type { Service } from "../../targets/service.ts";
import { inRuns, leftOpen, type OpenServer } from "./open-server.ts";
import { changeAnswers, ending, events, of, run } from "../../targets/parts.ts";

const deltas = (...texts: string[]): Partial<Service> =>
  run((all) => [...texts.map((delta): Fields => ({ type: "text_delta", delta })), ...all]);

/** The table. */
export const silentRuns: readonly OpenServer[] = [
  ...leftOpen("open.stream.delivery", {
    "sends all events in one piece": changeAnswers(of("automation", 200), (answer) => ({
      ...answer,
      pieces: [answer.pieces.map(String).join("")],
    })),
    "sends events letter by letter": changeAnswers(of("automation", 200), (answer) => ({
      ...answer,
      pieces: answer.pieces.flatMap((piece) => String(piece).split(/(?<=\})/)),
    })),
  }),
  ...leftOpen("open.stream.repeated-types", {
    "tells its browser session twice": run((all) => [...all.slice(0, 2), ...all.slice(1)]),
    "tells no browser session": run((all) => all.filter(({ type }) => type !== "notte_session_data")),
  }),
  ...leftOpen("open.event.delta-composition", {
    "repeats in each delta what came before": deltas("The next", "The next ferry", "The next ferry leaves"),
    "sends empty deltas": deltas("", "The next ferry", ""),
  }),
  ...leftOpen("open.event.tool-names", {
    "names tools by addresses": events("tool_start", { name: "https://tools.example/browse#v2" }),
    "has tools without a name": events("tool_start", { name: "" }),
  }),
  ...leftOpen("open.event.viewer_url-form", {
    "has a viewer on its own host": events("notte_session_data", { viewer_url: "/viewer/7c1d" }),
    "has a viewer over a socket": events("notte_session_data", { viewer_url: "wss://viewer.example/s?token=b6f0" }),
  }),
  ...leftOpen("open.event.metadata-fields", {
    "tells the model and the steps of a run": events("done", {
      metadata: { thread_id: threadId, model: "m-7", steps: 12 },
    }),
    "tells more of a run, deep inside": events("done", {
      metadata: { thread_id: threadId, usage: { tokens: [1, 2] } },
    }),
  }),
  ...leftOpen("open.limits.cost-of-other-ends", {
    "tells the cost of a run that failed": ending("error", { total_cost_usd: 0.02 }),
    "tells the cost of a run that timed out, which is nothing": ending("timeout", { total_cost_usd: 0 }),
    "tells no cost of a run that was cancelled": ending("cancelled", {}),
  }),
  ...inRuns("open.automation.same-query-again", {
    "makes another function of the same task": { run: anotherEachTime() },
    "makes no function of a task that it knows": { run: onceOnly() },
  }),
];

/** Returns runs each of which has identifiers of its own. */
function anotherEachTime(): Service["run"] {
  let time = 0;
  return () => {
    time += 1;
    const text = JSON.stringify(runEndingIn("done"))
      .replaceAll(functionId, functionId.replace(/.$/, String(time % 10)))
      .replaceAll(threadId, threadId.replace(/.$/, String(time % 10)));
    const all: Fields[] = JSON.parse(text);
    return all;
  };
}

/** Returns runs of which only the first one uploads a function. */
function onceOnly(): Service["run"] {
  let time = 0;
  return () => {
    time += 1;
    const all = runEndingIn("done");
    return time === 1
      ? all
      : all.filter(({ type }) => type !== "function_uploaded").map(({ function_id: _, ...event }): Fields => event);
  };
}
