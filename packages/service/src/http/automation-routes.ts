import type { Hono } from "hono";
import type { KeyHolder } from "../keys/keys.ts";
import type { Quotas } from "../keys/quotas.ts";
import type { Assignment, Runs } from "../runs/runs.ts";
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
    return eventStream(parts, c.get("holder"), (budgetUsd) => {
      return { worker: parts.newWorker(budgetUsd), task, makesFunction: true };
    });
  });
}

/** Starts a run of a key, and answers with its events; with 502 when it can't be started. Source: interface § Endpoints, § Errors. */
export async function eventStream(
  { runs, quotas }: Pick<AutomationParts, "runs" | "quotas">,
  holder: KeyHolder,
  assign: (budgetUsd: string | undefined) => Omit<Assignment, "key" | "keyLimit">,
): Promise<Response> {
  try {
    const stream = await quotas.run(holder, async (budgetUsd) => {
      const keyLimit = await quotas.sessionsOf(holder);
      return runs.start({ ...assign(budgetUsd), key: holder.name, keyLimit });
    });
    const headers = {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    };
    return new Response(stream.body, { headers });
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
