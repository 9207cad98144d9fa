import type { Clock } from "@cloud-browser/recorder";
import type { Context, Hono } from "hono";
import type { Logger } from "pino";
import { readKeyChange, readNewKey, readRotation, type RequestFaults } from "../control/key-request.ts";
import { viewKey } from "../control/key-view.ts";
import type { Keys } from "../keys/keys.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { requireJson, type JsonRequirement } from "./json-body.ts";
import { answerInvalid, answerProblem } from "./problems.ts";

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

/** Headers of an answer with a key, which is shown once: no cache may store it. */
const noStore = { "cache-control": "no-store" };

/** How keys are made, listed, changed, replaced and revoked. */
export function addKeyRoutes(app: Hono, { keys, clock, sessions, log }: KeyParts): void {
  app.get("/control/keys", async (c) => c.json({ keys: (await keys.list()).map((key) => viewKey(key, clock.now())) }));

  app.post("/control/keys", async (c) => {
    const created_ms = clock.now();
    const input = await readFrom(c, (body) => readNewKey(body, created_ms));
    if (input instanceof Response) return input;
    const key = await keys.create(input.key, created_ms);
    const view = viewKey({ ...input.key, created_ms, revoked_ms: null }, created_ms);
    const { name, roles, quota, expires_at } = view;
    log.info({ name, roles, quota, expires_at }, "a key was made");
    return c.json({ ...view, key }, 201, noStore);
  });

  app.patch("/control/keys/:name", async (c) => {
    const input = await readFrom(c, (body) => readKeyChange(body, clock.now()));
    if (input instanceof Response) return input;
    const record = await keys.change(c.req.param("name"), input.change);
    if (!record) return refuseUnknownKey();
    const view = viewKey(record, clock.now());
    const { name, roles, quota, expires_at } = view;
    log.info({ name, roles, quota, expires_at }, "a key was changed");
    return c.json(view);
  });

  app.post("/control/keys/:name/rotate", async (c) => {
    const input = await readFrom(c, readRotation, { missing: {} });
    if (input instanceof Response) return input;
    const name = c.req.param("name");
    const nowMs = clock.now();
    const key = await keys.rotate(name, nowMs, input.overlapMs);
    if (key === undefined) return refuseUnknownKey();
    const overlap_until = new Date(nowMs + input.overlapMs).toISOString();
    log.info({ name, overlap_until }, "a key was replaced");
    return c.json({ name, key, overlap_until }, 200, noStore);
  });

  app.delete("/control/keys/:name", async (c) => {
    const name = c.req.param("name");
    const isRevoked = await keys.revoke(name, clock.now());
    if (!isRevoked) return refuseUnknownKey();
    log.info({ name }, "a key was revoked");
    await keys.endRevoked(sessions.open, clock.now());
    return c.json({ revoked: true });
  });
}

/** Reads a body, or refuses it. */
async function readFrom<Wanted extends object>(
  c: Context,
  read: (body: unknown) => Wanted | RequestFaults,
  requirement?: JsonRequirement,
): Promise<Wanted | Response> {
  const json = await requireJson(c.req.raw, requirement);
  if (json instanceof Response) return json;
  const result = read(json.value);
  return isRefused(result) ? answerInvalid(result.faults) : result;
}

function isRefused(result: object): result is RequestFaults {
  return "faults" in result;
}

function refuseUnknownKey(): Response {
  return answerProblem(404, "no active key with that name");
}
