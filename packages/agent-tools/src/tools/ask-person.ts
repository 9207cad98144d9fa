import type { ControlHandover } from "@cloud-browser/client/control";
import { factsSchema, sessionId } from "./schemas.ts";
import { waitSeconds } from "./runs.ts";
import type { ToolEnvironment } from "./tool-environment.ts";
import { ToolError, type PersonReply, type Tool, type ToolInvocation, type ToolOutcome } from "./tool.ts";

/** Time that a person has, in seconds. */
const deadlineS = 900;
/** Interval of progress messages while the person is waited for, in milliseconds. */
const toldEveryMs = 5_000;

/** Tool that asks a person to act in a session. */
export const askPersonTool: Tool = {
  name: "ask_person",
  title: "Ask a person to act in a session",
  description: "Hand a session over to the person: a login, a code, what you must not do. Waits for the answer.",
  inputSchema: {
    type: "object",
    properties: {
      session_id: sessionId,
      message: {
        type: "string",
        minLength: 1,
        maxLength: 2_000,
        description: "what to do; not needed where a run asks, or with handover_id",
      },
      handover_id: { type: "string", maxLength: 200, description: "to wait on" },
      wait_s: waitSeconds,
    },
    required: ["session_id"],
    additionalProperties: false,
  },
  outputSchema: factsSchema({ session_id: "string", handover_id: "string", answer: "string", next: "string" }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  needsControl: true,
  async run(environment, args, call) {
    const id = args.requiredText("session_id");
    const waitS = args.number("wait_s") ?? 45;
    const waited = args.text("handover_id");
    if (waited !== undefined && waited !== "") return waitForAnswer(environment, call, id, waited, waitS);
    if (call.answer !== undefined) return afterVisit(environment, call, call.answer, waitS);
    const handover = await askOrFind(environment, id, args.text("message"), call.signal);
    if (!call.canAsk("visit")) {
      const result = await waitForAnswer(environment, call, id, handover.handover_id, waitS);
      const where = `a person answers it in the console of the service, ${environment.address}/#/requests, with their key: this client can't show links to them`;
      return result.facts["answer"] === undefined ? { ...result, facts: { ...result.facts, where } } : result;
    }
    const { viewer_url } = await environment.control.tokens.create(
      id,
      { scope: "steer", lifetime_s: deadlineS },
      { signal: call.signal },
    );
    if (viewer_url === null) throw new ToolError("the service gave no address for the person; ask again");
    const answer = await call.ask({
      kind: "visit",
      message: `An agent asks you to act in its browser session: ${handover.message}`,
      url: viewer_url,
      state: { session_id: id, handover_id: handover.handover_id },
    });
    return afterVisit(environment, call, answer, waitS);
  },
};

/** Requests a person, or finds the open request: a session has one at a time. */
async function askOrFind(
  { control }: ToolEnvironment,
  id: string,
  message: string | undefined,
  signal: AbortSignal,
): Promise<ControlHandover> {
  const { handovers } = await control.handovers.listOfSession(id, { signal });
  const open = handovers.find(({ state }) => state === "open");
  if (open !== undefined) return open;
  if (message === undefined || message.trim() === "") {
    throw new ToolError("nobody is asked in this session yet: message says what the person is to do");
  }
  return control.handovers.ask(id, { message, deadline_s: deadlineS }, { signal });
}

/** Continues after the person has opened the page, or refused to. */
async function afterVisit(
  environment: ToolEnvironment,
  call: ToolInvocation,
  { action, state }: PersonReply,
  waitS: number,
): Promise<ToolOutcome> {
  const { session_id: id = "", handover_id: handoverId = "" } = state;
  if (action === "accept") return waitForAnswer(environment, call, id, handoverId, waitS);
  const declined = await environment.control.handovers
    .answer(id, handoverId, { answer: "declined" }, { signal: call.signal })
    .catch(() => undefined);
  return { facts: { session_id: id, handover_id: handoverId, answer: declined?.answer ?? "declined" } };
}

/** Waits for the answer to a request. */
async function waitForAnswer(
  environment: ToolEnvironment,
  call: ToolInvocation,
  id: string,
  handoverId: string,
  waitS: number,
): Promise<ToolOutcome> {
  const { control } = environment;
  const stop = AbortSignal.any([call.signal, AbortSignal.timeout(Math.max(1, waitS * 1_000))]);
  const telling = setInterval(() => call.progress("waiting for the person"), toldEveryMs);
  try {
    const first = await control.handovers.read(id, handoverId, { signal: call.signal });
    if (first.state !== "open") return describeAnswer(first);
    call.progress("waiting for the person");
    return describeAnswer(await control.handovers.wait(id, handoverId, { signal: stop }));
  } catch (error) {
    if (!stop.aborted || call.signal.aborted) throw error;
    return {
      facts: {
        session_id: id,
        handover_id: handoverId,
        state: "open",
        next: `ask_person ${JSON.stringify({ session_id: id, handover_id: handoverId })} waits on`,
      },
    };
  } finally {
    clearInterval(telling);
  }
}

function describeAnswer({ session_id, handover_id, answer, note }: ControlHandover): ToolOutcome {
  return {
    facts: {
      session_id,
      handover_id,
      answer: answer ?? "open",
      next:
        answer === "done" ? "go on from the page as the person left it: scrape" : "go on without it, or tell your user",
    },
    // Whoever has the link of the session may have written it.
    ...(note !== null && { pageText: note }),
  };
}
