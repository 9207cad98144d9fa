import { startRun } from "@cloud-browser/client/runs";
import type { StreamEvent } from "@cloud-browser/stream";
import { bookHere, type BookedRun } from "../runs/run-book.ts";
import { followRun, type FollowedRun } from "../runs/follow-run.ts";
import type { RunReport } from "../runs/run-report.ts";
import { computeDigest } from "./digest.ts";
import { factsSchema } from "./schemas.ts";
import type { ToolEnvironment } from "./tool-environment.ts";
import {
  ToolError,
  type FactValue,
  type PropertySchema,
  type Tool,
  type ToolInvocation,
  type ToolOutcome,
} from "./tool.ts";

/** Default time for which a run is followed, in seconds: shorter than the minute after which many clients time out. */
const defaultWait = 45;

/** Schema of the time that a call waits. */
export const waitSeconds: PropertySchema = {
  type: "number",
  minimum: 0,
  maximum: 600,
  description: `seconds, default ${defaultWait}`,
};

/** Schema of the facts of a run. */
export const runFacts = factsSchema({
  run_id: "string",
  state: "string",
  after: "string",
  steps: "integer",
  cost_usd: "string",
  function_id: "string",
  session_id: "string",
  next: "string",
});

/** Starts a run of an automation. */
export const automateTool: Tool = {
  name: "automate",
  title: "Run a task in plain language",
  description:
    "Start a billed run that does a task by itself, in a session of its own: clicks, fills, reads. Returns its result, or run_id to follow_run with.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, maxLength: 20_000, description: "task, with addresses and values" },
      wait_s: waitSeconds,
    },
    required: ["query"],
    additionalProperties: false,
  },
  outputSchema: runFacts,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  needsControl: false,
  isBilled: true,
  async run(environment, args, call) {
    const query = args.requiredText("query");
    const key = await computeDigest("automate", query);
    const start = async (): Promise<BookedRun> => {
      // Its signal is not that of the call: what was sent is billed, and its handle is kept for whoever asks again.
      const run = await startRun(environment.client, { query });
      return run.isDetached && run.id !== undefined ? leave(run.id, run.stream) : bookHere(run.stream);
    };
    return startConfirmed(environment, call, { key, task: query, start, waitS: args.number("wait_s") });
  },
};

/** Follows a run. */
export const followRunTool: Tool = {
  name: "follow_run",
  title: "Follow a run",
  description:
    "Read on what a run does, until it ends or time is over. Without run_id: list runs, to find one whose answer was lost.",
  inputSchema: {
    type: "object",
    properties: {
      run_id: { type: "string", maxLength: 200 },
      after: { type: "string", maxLength: 20, description: "as the last result says; default: from the beginning" },
      wait_s: waitSeconds,
    },
    additionalProperties: false,
  },
  outputSchema: runFacts,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  needsControl: false,
  async run(environment, args, call) {
    const id = args.text("run_id");
    if (id === undefined || id === "") return listRuns(environment, call.signal);
    const after = args.text("after");
    if (after !== undefined && !/^(?:\d{1,9}|end)$/u.test(after)) {
      throw new ToolError(
        "after must be as a result says it: a number, or end; leave it out to read from the beginning",
      );
    }
    const local = environment.runs.find(id);
    if (local === undefined && id.startsWith("local-")) {
      throw new ToolError("no such run: its events were kept only in the process that started it");
    }
    if (local === undefined && !(await environment.hasControl())) {
      throw new ToolError("this service gives no events of runs that were started elsewhere");
    }
    return follow(environment, call, { id, local }, { after, waitS: args.number("wait_s") });
  },
};

/** Cancels a run. */
export const cancelRunTool: Tool = {
  name: "cancel_run",
  title: "Cancel a run",
  description: "Cancel a run. What it did stays done and billed.",
  inputSchema: {
    type: "object",
    properties: { run_id: { type: "string", minLength: 1, maxLength: 200 } },
    required: ["run_id"],
    additionalProperties: false,
  },
  outputSchema: runFacts,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needsControl: true,
  async run({ control }, args, { signal }) {
    const id = args.requiredText("run_id");
    await control.runs.cancel(id, { signal });
    const { state, end, cost_usd } = await control.runs.read(id, { signal });
    return { facts: { run_id: id, state: end ?? state, cost_usd } };
  },
};

/** A run that is to be started. */
export interface Starting {
  /** Equal for equal calls. */
  readonly key: string;
  /** Task that the person is asked to confirm. */
  readonly task: string;
  readonly start: () => Promise<BookedRun>;
  readonly waitS: number | undefined;
}

/** Starts a run once a person has confirmed it, and follows it. */
export async function startConfirmed(
  environment: ToolEnvironment,
  call: ToolInvocation,
  { key, task, start, waitS }: Starting,
): Promise<ToolOutcome> {
  const ticket = await confirm(environment, call, key, task);
  const run = await environment.runs.start(key, ticket, start);
  call.progress(`run ${run.id} ${run.isEarlier ? "was started by an earlier call" : "started"}`);
  const result = await follow(environment, call, run, { after: undefined, waitS });
  if (!call.signal.aborted) environment.runs.deliver(key, run.id);
  if (!run.isEarlier) return result;
  const note =
    "this call was made before, and its answer was lost: this is its run, nothing was started or billed again";
  return { ...result, facts: { ...result.facts, earlier_run: note } };
}

/** Resolves with the confirmation of a billed run; undefined where none is needed. */
async function confirm(
  { settings }: ToolEnvironment,
  call: ToolInvocation,
  key: string,
  task: string,
): Promise<string | undefined> {
  if (settings.allowed.has("billed-runs")) return undefined;
  if (!call.canAsk("confirm")) {
    throw new ToolError(
      "a run is billed, and nobody can be asked for a confirmation here: this client has no elicitation; nothing was started; whoever runs these tools may `allow` billed-runs",
    );
  }
  const { action, state } = await call.ask({
    kind: "confirm",
    message: `Start a billed run? Its cost depends on the task: ${task.length > 1_000 ? `${task.slice(0, 1_000)} …` : task}`,
    state: { key, ticket: crypto.randomUUID() },
  });
  if (state["key"] !== key)
    throw new ToolError("the confirmation was for another task; nothing was started; call again");
  if (action !== "accept")
    throw new ToolError(`the person did not confirm the run (${action}); nothing was started or billed`);
  return state["ticket"];
}

/** Follows a run, and returns its report. */
async function follow(
  environment: ToolEnvironment,
  { signal, progress }: ToolInvocation,
  run: BookedRun,
  { after, waitS = defaultWait }: { readonly after: string | undefined; readonly waitS: number | undefined },
): Promise<ToolOutcome> {
  const { control, settings } = environment;
  const followed = await followRun(run.local ?? { control, id: run.id }, {
    after,
    waitMs: waitS * 1_000,
    mostChars: settings.maxPageChars,
    signal,
    onEvent: (event, report) => tell(event, report, progress),
  });
  return describeRun(environment, run, followed, signal);
}

async function describeRun(
  environment: ToolEnvironment,
  { id, local }: BookedRun,
  { report, after, stopped }: FollowedRun,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const end = report.end();
  const known =
    local === undefined ? await environment.control.runs.read(id, { signal }).catch(() => undefined) : undefined;
  const { total_cost_usd, function_id }: { total_cost_usd?: unknown; function_id?: unknown } = Object(end);
  const cost = typeof total_cost_usd === "number" ? String(total_cost_usd) : known?.cost_usd;
  const created =
    known?.function_id ??
    (typeof function_id === "string" && /^[\w-]{1,100}$/u.test(function_id) ? function_id : undefined);
  const next = describeNext(id, after, stopped, known?.session_id ?? undefined);
  const text = report.text();
  return {
    facts: {
      run_id: id,
      state: end?.type ?? (stopped === "person" ? "waiting for a person" : (known?.end ?? known?.state ?? "active")),
      steps: known?.steps ?? report.steps(),
      ...(after !== undefined && end === undefined && { after }),
      ...(cost !== undefined && { cost_usd: cost }),
      ...(created !== undefined && { function_id: created }),
      ...(known?.session_id !== null && known?.session_id !== undefined && { session_id: known.session_id }),
      ...(next !== undefined && { next }),
    },
    ...(text !== "" && { pageText: text }),
  };
}

function describeNext(
  id: string,
  after: string | undefined,
  stopped: FollowedRun["stopped"],
  session: string | undefined,
): string | undefined {
  if (stopped === "end") return undefined;
  const on = `follow_run ${JSON.stringify({ run_id: id, ...(after !== undefined && { after }) })}`;
  if (stopped === "person" && session !== undefined) return `ask_person {"session_id":"${session}"}, then ${on}`;
  return stopped === "enough" ? `${on} has more` : `it goes on, whoever reads it: ${on}; or cancel_run`;
}

/** Reports an event in own words: names of tools only where they are plain words. */
function tell(event: StreamEvent, report: RunReport, progress: ToolInvocation["progress"]): void {
  if (event.type !== "tool_start") return;
  const plain = typeof event.name === "string" && /^[a-z][\w-]{0,30}$/iu.test(event.name) ? event.name : "a tool";
  progress(`step ${report.steps()}: ${plain}`);
}

/** Lists runs: of the service, and those that are kept here. */
async function listRuns(
  { control, runs, hasControl, settings }: ToolEnvironment,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const here = runs
    .localIds()
    .map((id): FactValue => ({ run_id: id, state: runs.find(id)?.hasEnded() === true ? "ended" : "active" }));
  if (!(await hasControl())) return { facts: { runs: here } };
  const [active, ended] = await Promise.all([
    control.runs.list({ state: "active" }, { signal }),
    control.runs.list({ state: "ended" }, { signal }),
  ]);
  const listed = [...active.runs, ...ended.runs].slice(0, 30);
  return {
    facts: {
      runs: [
        ...here,
        ...listed.map((run): FactValue => ({
          run_id: run.thread_id,
          state: run.end ?? run.state,
          started_at: run.started_at,
          cost_usd: run.cost_usd,
          session_id: run.session_id,
          function_id: run.function_id,
        })),
      ],
    },
    ...(listed.length > 0 && {
      pageText: listed
        .map((run) => `${run.thread_id}: ${(run.task ?? "(task not known yet)").slice(0, 300)}`)
        .join("\n")
        .slice(0, settings.maxPageChars),
    }),
  };
}

/** Stops reading the stream of a run, which continues without a reader. */
async function leave(id: string, stream: { cancel: () => Promise<void> }): Promise<BookedRun> {
  await stream.cancel();
  return { id, local: undefined };
}
