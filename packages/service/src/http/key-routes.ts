import type { Hono } from "hono";
import { asNewKey } from "../control/key-request.ts";
import { viewOfKey } from "../control/key-view.ts";
import type { Keys } from "../keys/keys.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { readJson } from "./json-body.ts";
import type { Logger } from "pino";
import { invalid, problem } from "./problems.ts";

/** Parts that the routes of keys need. */
export interface KeyParts {
  /** The keys beside the one that the service was started with. */
  readonly keys: Keys;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
  /** The sessions. */
  readonly sessions: Sessions;
  /** Gets a line for each key that is made or revoked. */
  readonly log: Logger;
}

/** How keys are made, listed and revoked. */
export function addKeyRoutes(app: Hono, { keys, now, sessions, log }: KeyParts): void {
  app.get("/control/keys", async (c) => c.json({ keys: (await keys.list()).map(viewOfKey) }));

  app.post("/control/keys", async (c) => {
    const body = await readJson(c.req.raw);
    if ("tooLarge" in body) return problem(413, `the body is larger than ${body.tooLarge} bytes`);
    if ("fault" in body) return invalid([body.fault]);
    const read = asNewKey(body.value);
    if ("faults" in read) return invalid(read.faults);
    const created_ms = now();
    const key = await keys.create(read.key, created_ms);
    const { name, roles, quota } = read.key;
    log.info({ name, roles, quota }, "a key was made");
    const view = viewOfKey({ ...read.key, created_ms, revoked_ms: null });
    return c.json({ ...view, key }, 201, { "cache-control": "no-store" });
  });

  app.delete("/control/keys/:name", async (c) => {
    const name = c.req.param("name");
    const isRevoked = await keys.revoke(name, now());
    if (!isRevoked) return problem(404, "no active key with that name");
    log.info({ name }, "a key was revoked");
    await keys.endRevoked(sessions.open);
    return c.json({ revoked: true });
  });
}
