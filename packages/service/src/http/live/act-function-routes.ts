import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Hono } from "hono";
import {
  functionName,
  makeFunctionOfActs,
  type ActRefusal,
  type ActsFunction,
  type FunctionRecord,
} from "@cloud-browser/automation";
import type { Clock } from "@cloud-browser/recorder";
import { compileValidator } from "../../control/control-schemas.ts";
import { toFaults } from "../../control/validation-faults.ts";
import type { Session } from "../../sessions/session.ts";
import type { FunctionStore } from "../../storage/function-store.ts";
import { describeTimelineEntry } from "../../timeline/entry-words.ts";
import { toRecordedEntries } from "../../timeline/recorded-entries.ts";
import type { TimelineEntry } from "../../timeline/timeline-event.ts";
import { requireJson } from "../json-body.ts";
import { answerInvalid, answerProblem } from "../problems.ts";
import { findTimeline, type FoundTimeline, type TimelineReaderParts } from "./timeline-reader.ts";

/** Parts that functions of acts need. */
export interface ActFunctionParts extends TimelineReaderParts {
  /** The functions, in which those of acts are kept beside those of runs. */
  readonly functions: FunctionStore;
  /** Returns the current time. */
  readonly clock: Pick<Clock, "now">;
}

/** Body of a request. */
interface MakeFunction {
  readonly from?: number;
  readonly to?: number;
  readonly name?: string;
}

/** How long typing that goes on is waited for, in milliseconds: it counts as over when nothing was typed for two seconds. */
const typingMs = { most: 4_000, every: 100 } as const;
/** Longest words about an entry, in characters. */
const maxWords = 200;

const validate = compileValidator<MakeFunction>("MakeFunction");

/** How a function is made of what somebody did in a session. */
export function addActFunctionRoutes(app: Hono, { functions, clock, ...parts }: ActFunctionParts): void {
  app.post("/control/sessions/:session_id/function", async (c) => {
    const json = await requireJson(c.req.raw, { missing: {} });
    if (json instanceof Response) return json;
    const { value: body } = json;
    if (!validate(body)) return answerInvalid(toFaults(validate.errors ?? []));
    const { from = 1, to = Infinity } = body;
    if (from > to)
      return answerInvalid([{ loc: ["body", "to"], msg: "Input should not be before from", type: "value_error" }]);
    const repeated = c.req.header("idempotency-key");
    if (repeated !== undefined && !/^[\x20-\x7e]{1,255}$/.test(repeated))
      return answerProblem(400, "Idempotency-Key has to be 1 to 255 characters of printable ASCII");
    const id = c.req.param("session_id");
    const key = c.get("holder").name;
    const foundTimeline = await findTimeline(parts, id, key);
    if (foundTimeline instanceof Response) return foundTimeline;
    const functionId = repeated === undefined ? randomUUID() : deriveUuid(id, repeated);
    const existing = repeated === undefined ? undefined : await functions.get(functionId, key);
    if (existing) return c.json(existing, 201, { location: buildLocation(existing) });
    const current = foundTimeline.open ? await waitUntilTyped(foundTimeline.open, foundTimeline) : foundTimeline;
    const { timeline, isTypedInto } = foundTimeline.open?.history ?? {};
    const result = makeFunctionOfActs(toRecordedEntries(current.entries), {
      ...body,
      isFull: timeline?.isFull ?? false,
      isTypedInto: isTypedInto ?? false,
    });
    if ("refusals" in result) return refuse(result.refusals, current.entries);
    const record = makeRecord(id, result.function, { functionId, nowMs: clock.now(), name: body.name });
    await functions.save(record, key);
    // From then on each node knows it.
    await functions.settle();
    return c.json(record, 201, { location: buildLocation(record) });
  });
}

/** Waits, within a bound, until nobody types into a session any more; what is typed is told then. */
async function waitUntilTyped(session: Session, timeline: FoundTimeline): Promise<FoundTimeline> {
  for (let waitedMs = 0; session.history.isTypedInto && waitedMs < typingMs.most; waitedMs += typingMs.every)
    await delay(typingMs.every);
  return { ...timeline, entries: session.history.timeline.entries };
}

function makeRecord(
  sessionId: string,
  { steps, variables, by, entries: { from, to } }: ActsFunction,
  {
    functionId,
    nowMs,
    name,
  }: { readonly functionId: string; readonly nowMs: number; readonly name: string | undefined },
): FunctionRecord {
  const [opening] = steps.flatMap((step) => (step.action === "open" ? [URL.parse(step.url)?.hostname ?? ""] : []));
  return {
    function_id: functionId,
    function_name: functionName(name ?? `acts on ${opening ?? ""}`),
    created_at: new Date(nowMs).toISOString().replace("Z", "+00:00"),
    query: `What a ${by === "person" ? "person" : "program"} did in session ${sessionId} (entries ${from} to ${to} of its timeline)`,
    variables,
    steps,
  };
}

function buildLocation({ function_id: id }: FunctionRecord): string {
  return `/control/functions/${id}`;
}

/** Returns the id of what is made by a request that may be sent again. */
function deriveUuid(sessionId: string, key: string): string {
  const hex = createHash("sha256").update(`function\n${sessionId}\n${key}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Answers with each entry that can't be repeated, in words, and why. */
function refuse(refusals: readonly ActRefusal[], entries: readonly TimelineEntry[]): Response {
  const refusal = refusals.map(({ seq, code, message }) => {
    const entry = seq === null ? undefined : entries.find((one) => one.seq === seq);
    const words = entry && describeTimelineEntry(entry, (text) => text).slice(0, maxWords);
    return { seq, code, message, entry: words ?? null };
  });
  const [first] = refusal;
  const more = refusal.length > 1 ? `; and ${refusal.length - 1} more` : "";
  const where = first?.seq == null ? "" : `entry ${first.seq}${first.entry === null ? "" : ` (${first.entry})`}: `;
  const detail = `these acts can't be made a function: ${where}${first?.message ?? "there are none"}${more}`;
  return Response.json({ detail, refused: refusal }, { status: 409 });
}
