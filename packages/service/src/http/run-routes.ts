import type { Hono } from "hono";
import type { Runs } from "../runs/runs.ts";
import { viewOfRun } from "../control/run-view.ts";
import { invalid, problem } from "./problems.ts";

/** Most ended runs that are listed. */
const mostListed = 100;

/** How runs are listed, read and cancelled. */
export function addRunRoutes(app: Hono, { runs }: { readonly runs: Runs }): void {
  app.get("/control/runs", async (c) => {
    const key = c.get("holder").name;
    const state = c.req.query("state") ?? "active";
    if (state === "active") return c.json({ runs: runs.openOf(key).map(viewOfRun) });
    if (state === "ended") return c.json({ runs: (await runs.ended(mostListed, key)).map(viewOfRun) });
    return invalid([{ loc: ["query", "state"], msg: "Input should be 'active' or 'ended'", type: "enum" }]);
  });
  app.get("/control/runs/:thread_id", async (c) => {
    const record = await runs.record(c.req.param("thread_id"), c.get("holder").name);
    return record ? c.json(viewOfRun(record)) : problem(404, "there is no such run");
  });
  app.post("/control/runs/:thread_id/cancel", async (c) => {
    const { thread_id: id } = c.req.param();
    if ((await runs.record(id, c.get("holder").name)) && runs.cancel(id)) return c.json({ cancelled: true });
    return problem(404, "no active run with that id");
  });
}
