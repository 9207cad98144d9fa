import type { Clock } from "@cloud-browser/recorder";
import type { Context, Hono } from "hono";
import type { Logger } from "pino";
import { asKeyChange, asNewKey, asRotation, type RequestFaults } from "../control/key-request.ts";
import { viewOfKey } from "../control/key-view.ts";
import type { Keys } from "../keys/keys.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { parseJsonBody, readBytes } from "./json-body.ts";
import { invalid, problem } from "./problems.ts";

/** Parts that the routes of keys need. */
export interface KeyParts {
  /** The keys beside the one that the service was started with. */
  readonly keys: Keys;
  /** Clock. */
  readonly clock: Pick<Clock, "now">;
  /** The sessions. */
  readonly sessions: Sessions;
  /** Gets a line for each key that is made, changed, replaced or revoked. */
  readonly log: Logger;
}

/** A key is shown once. */
const unstored = { "cache-control": "no-store" };

/** How keys are made, listed, changed, replaced and revoked. */
export function addKeyRoutes(app: Hono, { keys, clock, sessions, log }: KeyParts): void {
  app.get("/control/keys", async (c) =>
    c.json({ keys: (await keys.list()).map((key) => viewOfKey(key, clock.now())) }),
  );

  app.post("/control/keys", async (c) => {
    const created_ms = clock.now();
    const read = await readFrom(c, (body) => asNewKey(body, created_ms));
    if (read instanceof Response) return read;
    const key = await keys.create(read.key, created_ms);
    const view = viewOfKey({ ...read.key, created_ms, revoked_ms: null }, created_ms);
    const { name, roles, quota, expires_at } = view;
    log.info({ name, roles, quota, expires_at }, "a key was made");
    return c.json({ ...view, key }, 201, unstored);
  });

  app.patch("/control/keys/:name", async (c) => {
    const read = await readFrom(c, (body) => asKeyChange(body, clock.now()));
    if (read instanceof Response) return read;
    const changed = await keys.change(c.req.param("name"), read.change);
    if (!changed) return noKey();
    const view = viewOfKey(changed, clock.now());
    const { name, roles, quota, expires_at } = view;
    log.info({ name, roles, quota, expires_at }, "a key was changed");
    return c.json(view);
  });

  app.post("/control/keys/:name/rotate", async (c) => {
    const read = await readFrom(c, asRotation, {});
    if (read instanceof Response) return read;
    const name = c.req.param("name");
    const nowMs = clock.now();
    const key = await keys.rotate(name, nowMs, read.overlapMs);
    if (key === undefined) return noKey();
    const overlap_until = new Date(nowMs + read.overlapMs).toISOString();
    log.info({ name, overlap_until }, "a key was replaced");
    return c.json({ name, key, overlap_until }, 200, unstored);
  });

  app.delete("/control/keys/:name", async (c) => {
    const name = c.req.param("name");
    const isRevoked = await keys.revoke(name, clock.now());
    if (!isRevoked) return noKey();
    log.info({ name }, "a key was revoked");
    await keys.endRevoked(sessions.open, clock.now());
    return c.json({ revoked: true });
  });
}

/**
 * Reads a body, or refuses it.
 *
 * @param missing - What stands for a body that is empty. Default: it is refused.
 */
async function readFrom<Wanted extends object>(
  c: Context,
  read: (body: unknown) => Wanted | RequestFaults,
  missing?: unknown,
): Promise<Wanted | Response> {
  const bytes = await readBytes(c.req.raw);
  if ("tooLarge" in bytes) return problem(413, `the body is larger than ${bytes.tooLarge} bytes`);
  const given = parseJsonBody(bytes);
  if ("fault" in given && !(given.fault.type === "missing" && missing !== undefined)) return invalid([given.fault]);
  const result = read("value" in given ? given.value : missing);
  return isRefused(result) ? invalid(result.faults) : result;
}

function isRefused(result: object): result is RequestFaults {
  return "faults" in result;
}

function noKey(): Response {
  return problem(404, "no active key with that name");
}
