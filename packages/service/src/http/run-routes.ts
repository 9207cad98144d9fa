import type { Hono } from "hono";
import { lastEventId } from "../runs/event-body.ts";
import type { Keys } from "../keys/keys.ts";
import type { Runs } from "../runs/runs.ts";
import { viewRun } from "../control/run-view.ts";
import { streamHeaders } from "./automation-routes.ts";
import { readListedKey, findKeyScope } from "./key-scope.ts";
import { answerInvalid, answerProblem } from "./problems.ts";

/** How runs are listed, read, followed and cancelled. */
export function addRunRoutes(
  app: Hono,
  { runs, keys }: { readonly runs: Runs; readonly keys: Pick<Keys, "list"> },
): void {
  app.get("/control/runs", async (c) => {
    const listed = await readListedKey(c, keys);
    if (listed instanceof Response) return listed;
    const { key } = listed;
    const state = c.req.query("state") ?? "active";
    if (state === "active") return c.json({ runs: (await runs.listActive(key)).map(viewRun) });
    if (state === "ended") return c.json({ runs: (await runs.listEnded(key)).map(viewRun) });
    return answerInvalid([{ loc: ["query", "state"], msg: "Input should be 'active' or 'ended'", type: "enum" }]);
  });
  app.get("/control/runs/:thread_id", async (c) => {
    const record = await runs.findRecord(c.req.param("thread_id"), findKeyScope(c.get("holder")));
    return record ? c.json(viewRun(record)) : refuseUnknown();
  });
  app.get("/control/runs/:thread_id/events", async (c) => {
    const { thread_id: id } = c.req.param();
    if (!(await runs.findRecord(id, c.get("holder").name))) return refuseUnknown();
    // An EventSource that reconnects sends the header, and the same query as before.
    const header = c.req.header("last-event-id");
    const last = header ?? c.req.query("last_event_id") ?? "0";
    // Whoever has seen the last one has seen all: an EventSource takes this status for the end.
    if (last === lastEventId) return c.body(null, 204);
    if (/^\d{1,9}$/.test(last)) return new Response(runs.follow(id, Number(last)), { headers: streamHeaders });
    const loc = header === undefined ? ["query", "last_event_id"] : ["header", "last-event-id"];
    return answerInvalid([
      { loc, msg: `Input should be the id of an event of the run: a number or '${lastEventId}'`, type: "value_error" },
    ]);
  });
  app.post("/control/runs/:thread_id/cancel", async (c) => {
    const { thread_id: id } = c.req.param();
    const record = await runs.findRecord(id, findKeyScope(c.get("holder")));
    if (record && runs.cancel(id)) return c.json({ cancelled: true });
    if (record?.ended_ms === null)
      return answerProblem(503, "the run can't be reached now; try again", { "retry-after": "5" });
    return answerProblem(404, "no active run with that id");
  });
}

function refuseUnknown(): Response {
  return answerProblem(404, "there is no such run");
}
