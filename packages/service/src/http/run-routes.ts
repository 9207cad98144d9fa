import type { Hono } from "hono";
import type { Runs } from "../automation/runs.ts";
import { problem } from "./problems.ts";

/** How runs are listed and cancelled. Source: ours (`control.openapi.json`). */
export function addRunRoutes(app: Hono, { runs }: { readonly runs: Runs }): void {
  app.get("/control/runs", (c) => c.json({ runs: runs.open }));
  app.post("/control/runs/:thread_id/cancel", (c) => {
    if (runs.cancel(c.req.param("thread_id"))) return c.json({ cancelled: true });
    return problem(404, "no run with that id goes on");
  });
}
