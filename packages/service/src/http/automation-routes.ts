import type { Hono } from "hono";
import { readJson } from "./json-body.ts";

/** The automation endpoint. Source: interface § Endpoints. */
export function addAutomationRoutes(app: Hono): void {
  app.post("/api/automation/start", async (c) => {
    const body = await readJson(c.req.raw);
    if ("tooLarge" in body) return c.json({ error: `the body is larger than ${body.tooLarge} bytes` }, 413);
    if ("fault" in body) return c.json({ error: "the body is not valid JSON" }, 400);
    const query = queryOf(body.value);
    if (query === undefined) return c.json({ error: "query is missing: give a task as a text" }, 400);
    return c.json({ error: "the agent failed to start: this service has none" }, 502);
  });
}

function queryOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("query" in body)) return undefined;
  return typeof body.query === "string" && body.query.trim() !== "" ? body.query : undefined;
}
