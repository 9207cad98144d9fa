import type { Context, Hono } from "hono";
import { viewOfRun } from "../control/run-view.ts";
import type { Quotas } from "../keys/quotas.ts";
import type { Assignment } from "../runs/run-options.ts";
import type { Runs } from "../runs/runs.ts";
import { serviceErrorOf } from "../service-error.ts";
import { readJson } from "./json-body.ts";

/** Parts that the automation endpoint needs. */
export interface AutomationParts {
  /** The runs. */
  readonly runs: Runs;
  /** Who works on tasks, one for each: the agent when there is a model, otherwise the planner. Given the most that it may cost, in US dollars. */
  readonly newWorker: (budgetUsd?: string) => Assignment["worker"];
  /** The quotas of keys. */
  readonly quotas: Quotas;
}

/** The automation endpoint. Source: interface § Endpoints, § Errors. */
export function addAutomationRoutes(app: Hono, parts: AutomationParts): void {
  app.post("/api/automation/start", async (c) => {
    const body = await readJson(c.req.raw);
    if ("tooLarge" in body) return c.json({ error: `the body is larger than ${body.tooLarge} bytes` }, 413);
    if ("fault" in body) return c.json({ error: "the body is not valid JSON" }, 400);
    const task = queryOf(body.value);
    if (task === undefined) return c.json({ error: "query is missing: give the task as a string" }, 400);
    return startRun(parts, c, (budgetUsd) => {
      return { worker: parts.newWorker(budgetUsd), task, makesFunction: true };
    });
  });
}

/** Headers of an answer that is a stream of events. */
export const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Response header with the id of the run that a request has started. */
const runIdHeader = "x-service-run-id";

/** The preference of a client that does not want to wait (RFC 7240, 4.1). */
const respondAsync = /(?:^|,)\s*respond-async\s*(?:[;,]|$)/i;

/**
 * Starts a run of the key of a request, and answers with its events; with 502 when it can't be started. A client that prefers not to
 * wait is answered with the run, which then continues whether or not its events are read.
 *
 * Source: interface § Endpoints, § Errors; the preference is ours.
 */
export async function startRun(
  { runs, quotas }: Pick<AutomationParts, "runs" | "quotas">,
  c: Context,
  assign: (budgetUsd: string | undefined) => Omit<Assignment, "key" | "keyLimit" | "isDetached">,
): Promise<Response> {
  const holder = c.get("holder");
  const isDetached = respondAsync.test(c.req.header("prefer") ?? "");
  try {
    const { id, stream } = await quotas.run(holder, async (budgetUsd) => {
      const keyLimit = await quotas.sessionsOf(holder);
      return runs.start({ ...assign(budgetUsd), key: holder.name, keyLimit, isDetached });
    });
    if (!isDetached) return new Response(stream.body, { headers: { ...streamHeaders, [runIdHeader]: id } });
    // Cancelled: the client disconnected before it learned the id of the run.
    if (c.req.raw.signal.aborted) runs.cancel(id, "reader_gone");
    const record = await runs.record(id, holder.name);
    const headers = {
      [runIdHeader]: id,
      "preference-applied": "respond-async",
      location: `/control/runs/${id}`,
    };
    return Response.json(record && viewOfRun(record), { status: 202, headers });
  } catch (thrown) {
    const error = serviceErrorOf(thrown);
    if (error === undefined) throw thrown;
    return Response.json({ error: `the agent failed to start: ${error.message}` }, { status: 502 });
  }
}

function queryOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("query" in body)) return undefined;
  return typeof body.query === "string" && body.query.trim() !== "" ? body.query : undefined;
}
