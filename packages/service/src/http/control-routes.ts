import type { Hono } from "hono";
import control from "../control/control.openapi.json" with { type: "json" };
import { readSessionOptions } from "../control/create-request.ts";
import { viewSession, viewSessions, type SessionLinks } from "../control/session-view.ts";
import type { FileArchive } from "../files/file-archive.ts";
import type { KeyHolder, Keys } from "../keys/keys.ts";
import type { Quotas } from "../keys/quotas.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { RecordingStore } from "../storage/recordings/recording-store.ts";
import { ServiceError } from "../service-error.ts";
import { requestContext } from "../request-context.ts";
import { type QueueLimits, chooseWait } from "../sessions/queue/queue-limits.ts";
import { requireJson } from "./json-body.ts";
import { readListedKey, findKeyScope } from "./key-scope.ts";
import type { Placement } from "./nodes/placement.ts";
import { answerInvalid } from "./problems.ts";

/** Parts that the control interface needs. */
export interface ControlParts extends SessionLinks {
  /** The sessions. */
  readonly sessions: Sessions;
  /** The keys, whose names sessions are listed by. */
  readonly keys: Keys;
  /** The quotas of keys. */
  readonly quotas: Quotas;
  /** Chooses where sessions are created. */
  readonly placement: Placement;
  /** Recordings of sessions. */
  readonly recordings: Pick<RecordingStore, "readViews" | "delete">;
  /** Files of sessions, which are deleted with the recording. */
  readonly files: Pick<FileArchive, "delete">;
  /** Limits of the queue for sessions. */
  readonly queueLimits: QueueLimits;
}

const listing = { default: 100, most: 1000 } as const;

/** How sessions are created, listed, read and ended. */
export function addControlRoutes(app: Hono, parts: ControlParts): void {
  const { sessions, quotas, placement, queueLimits, recordings } = parts;
  const isKnown = async (id: string, holder: KeyHolder): Promise<boolean> => {
    try {
      await sessions.getRecord(id, findKeyScope(holder));
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "unknown-session") return false;
      throw error;
    }
  };
  app.get("/control/openapi.json", (c) => c.json(control));

  app.post("/control/sessions", async (c) => {
    const request = c.req.raw;
    const json = await requireJson(request, { missing: {} });
    if (json instanceof Response) return json;
    const result = readSessionOptions(json.value);
    if ("faults" in result) return answerInvalid(result.faults);
    const { options } = result;
    const waitMs = chooseWait(options, queueLimits);
    const holder = c.get("holder");
    const key = holder.name;
    const countLimit = (): Promise<number> => quotas.countSessions(holder);
    return placement.answer({ request, body: json.bytes, key, keyLimit: countLimit, waitMs }, async (permit) => {
      // Nobody knows the id of a session whose client has disconnected: it would hold a slot until its limit.
      const { signal } = request;
      const session = await sessions.create(options, { signal, key, permit });
      const { id } = session;
      requestContext().session = id;
      if (signal.aborted) await sessions.end(id);
      try {
        return c.json(await viewSession(await sessions.getRecord(id), holder, parts), 201);
      } catch (error) {
        // Nor of one that can't be told of.
        await session.end("requested");
        throw error;
      }
    });
  });

  app.get("/control/sessions", async (c) => {
    const text = c.req.query("limit");
    const limit = text === undefined ? listing.default : Number(text);
    if (!Number.isInteger(limit) || limit < 1 || limit > listing.most) {
      const msg = `Input should be an integer from 1 to ${listing.most}`;
      return answerInvalid([{ loc: ["query", "limit"], msg, type: "int_parsing" }]);
    }
    const state = c.req.query("state");
    if (state !== undefined && state !== "active" && state !== "ended") {
      return answerInvalid([{ loc: ["query", "state"], msg: "Input should be 'active' or 'ended'", type: "enum" }]);
    }
    const scope = await readListedKey(c, parts.keys);
    if (scope instanceof Response) return scope;
    const after = c.req.query("after");
    if (after !== undefined && !(await isKnown(after, c.get("holder")))) {
      return answerInvalid([{ loc: ["query", "after"], msg: "no session has that id", type: "value_error" }]);
    }
    const records = await sessions.list(limit, { ...scope, state, after });
    return c.json({ sessions: await viewSessions(records, c.get("holder"), parts) });
  });

  app.get("/control/sessions/:session_id", async (c) => {
    const id = c.req.param("session_id");
    const holder = c.get("holder");
    const record = await sessions.getRecord(id, findKeyScope(holder));
    const open = sessions.open.find((session) => session.id === id);
    if (!open) return c.json(await viewSession(record, holder, parts));
    await sessions.locate(open);
    return c.json(await viewSession(await sessions.getRecord(id), holder, parts));
  });

  app.delete("/control/sessions/:session_id/recording", async (c) => {
    const holder = c.get("holder");
    const record = await sessions.getRecord(c.req.param("session_id"), findKeyScope(holder));
    const { session_id: id, recorded, ended_ms } = record;
    // A session that is not recorded may have files all the same.
    const isRecorded = recorded || ended_ms === null;
    if (isRecorded) await recordings.delete(id);
    if (!(await parts.files.delete(id)) && !isRecorded) await recordings.delete(id);
    return c.json(await viewSession(record, holder, parts));
  });

  app.delete("/control/sessions/:session_id", async (c) => {
    const holder = c.get("holder");
    const record = await sessions.end(c.req.param("session_id"), findKeyScope(holder));
    return c.json(await viewSession(record, holder, parts));
  });
}
