import type { Clock } from "@cloud-browser/recorder";
import type { Context, Hono } from "hono";
import type { Logger } from "pino";
import { readProfileUpload } from "../../control/profiles/profile-upload.ts";
import { viewProfile } from "../../control/profiles/profile-view.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import type { Keys } from "../../keys/keys.ts";
import { toPlaywrightState } from "../../profiles/stored-state.ts";
import type { ProfileName } from "../../storage/profile-store.ts";
import { discardedLimit, requireJson } from "../json-body.ts";
import { readListedKey } from "../key-scope.ts";
import { answerInvalid } from "../problems.ts";

/** Parts that the routes of profiles need. */
export interface ProfileRouteParts {
  /** The profiles. */
  readonly profiles: Profiles;
  /** Clock by which cookies expire. */
  readonly clock: Pick<Clock, "now">;
  /** The API keys. */
  readonly keys: Keys;
  /** Gets a line for each profile that is uploaded, exported, deleted or encrypted anew; no line has a value. */
  readonly log: Logger;
}

/** Headers of answers that no cache may store. */
const noStore = { "cache-control": "no-store" };
const path = "/control/profiles/:name";

/** How profiles are listed, uploaded, exported and deleted. */
export function addProfileRoutes(app: Hono, { profiles, clock, keys, log }: ProfileRouteParts): void {
  app.get("/control/profiles", async (c) => {
    const listed = await readListedKey(c, keys);
    if (listed instanceof Response) return listed;
    const all = await profiles.list(listed.key);
    return c.json({ profiles: all.map((one) => viewProfile(profiles, one)) });
  });

  app.post("/control/profiles", async (c) => {
    const json = await requireJson(c.req.raw, { limit: discardedLimit });
    if (json instanceof Response) return json;
    const upload = readProfileUpload(json.value, clock.now());
    if ("faults" in upload) return answerInvalid(upload.faults);
    const { name, state, replace, leftOut } = upload;
    const of = { key: c.get("holder").name, name };
    const isReplaced = await profiles.put(of, state, replace);
    log.info({ profile: name, isReplaced }, "a profile was uploaded");
    return c.json({ ...viewProfile(profiles, await profiles.get(of)), left_out: leftOut }, 201);
  });

  app.post("/control/profiles/reencrypt", async (c) => {
    const done = await profiles.reencrypt();
    log.info(done, "profiles were encrypted with the first key");
    return c.json(done);
  });

  app.get(path, async (c) => {
    const of = await findMeant(c, keys);
    if (of instanceof Response) return of;
    return c.json(viewProfile(profiles, await profiles.get(of)));
  });

  app.get(`${path}/storage-state`, async (c) => {
    const name = c.req.param("name");
    const state = await profiles.export({ key: c.get("holder").name, name });
    log.info({ profile: name }, "a profile was exported");
    return c.json(toPlaywrightState(state), 200, noStore);
  });

  app.delete(path, async (c) => {
    const of = await findMeant(c, keys);
    if (of instanceof Response) return of;
    const writer = await profiles.delete(of);
    log.info({ profile: of.name, in_use_by: writer }, "a profile was deleted");
    return c.json({ deleted: true, in_use_by: writer });
  });
}

/** Returns the profile that a request means, or the refusal. */
async function findMeant(c: Context, keys: Pick<Keys, "list">): Promise<ProfileName | Response> {
  const listed = await readListedKey(c, keys);
  if (listed instanceof Response) return listed;
  if (listed.key !== undefined) return { key: listed.key, name: c.req.param("name") ?? "" };
  const msg = "Input should be the name of one key";
  return answerInvalid([{ loc: ["query", "key"], msg, type: "value_error" }]);
}
