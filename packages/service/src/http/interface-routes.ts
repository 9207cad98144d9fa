import type { components } from "@cloud-browser/spec/types";
import type { Hono } from "hono";
import { readCookies } from "../sessions/session-cookies.ts";
import type { SessionScraper } from "../sessions/scrape-session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { RecordingStore } from "../storage/recordings/recording-store.ts";
import { runInSpan } from "../tracing/spans.ts";
import { ServiceError, findServiceError } from "../service-error.ts";
import type { SessionRecord } from "../storage/session-store.ts";
import { readJson, refuseLength } from "./json-body.ts";
import { answerInvalid } from "./problems.ts";
import { readScrapeCall } from "./scrape-request.ts";

type CookiesResponse = components["schemas"]["CookiesResponse"];
type ReplayResponse = components["schemas"]["ReplayResponse"];

/** Parts that the session-scoped endpoints need. */
export interface InterfaceParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Scrapes the pages that sessions are on. */
  readonly scraper: Pick<SessionScraper, "scrape">;
  /** Recordings of ended sessions. */
  readonly recordings: Pick<RecordingStore, "getReplay">;
}

/** How long a read of a replay waits for a recording that is being finished, in milliseconds. */
const replayWaitMs = 10_000;
/**
 * Explains why a session that is known has no recording here: it has not begun to be recorded, or the node that made it is down. Only a
 * session that nobody knows is unknown.
 */
function explainReplay(error: unknown, { ended_ms, recorded }: SessionRecord): never {
  if (findServiceError(error)?.code !== "unknown-session" || !recorded) throw error;
  if (ended_ms === null)
    throw new ServiceError("recording-not-ready", "the session has not ended yet", { cause: error });
  const why =
    "the recording of this session can't be reached now: it is being made, or the node that has it is down; try again";
  throw new ServiceError("session-unreachable", why, { cause: error });
}

/** Preference of a client (RFC 7240): text that is rendered, but so that nobody sees it, is left out of a scrape. */
const visibleText = /(?:^|,)\s*visible-text\s*(?:[;,]|$)/i;

/** The session-scoped endpoints. Source: interface § Endpoints. */
export function addInterfaceRoutes(app: Hono, { sessions, scraper, recordings }: InterfaceParts): void {
  app.post("/sessions/:session_id/page/scrape", async (c) => {
    const body = await readJson(c.req.raw);
    if ("tooLarge" in body) return refuseLength(body.tooLarge);
    const input = readScrapeCall(c.req.query("update_metadata"), body);
    if ("faults" in input) return answerInvalid(input.faults);
    const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    session.touch();
    const isVisibleOnly = visibleText.test(c.req.header("prefer") ?? "");
    const data = await scraper.scrape(session, input.request, isVisibleOnly).catch(async (error: unknown) => {
      await sessions.get(session.id); // when it has ended, that is why it failed
      throw error;
    });
    session.touch();
    if (input.updatesMetadata) await sessions.locate(session);
    return c.json(data, 200, isVisibleOnly ? { "preference-applied": "visible-text" } : {});
  });

  app.get("/sessions/:session_id/cookies", async (c) => {
    const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    session.touch();
    const cookies = await runInSpan("page.cookies", {}, () => readCookies(session.pooledContext));
    sessions.requireLease();
    const body: CookiesResponse = { cookies };
    return c.json(body);
  });

  app.get("/sessions/:session_id/replay", async (c) => {
    const record = await sessions.getRecord(c.req.param("session_id"), c.get("holder").name);
    try {
      const replay: ReplayResponse = await recordings.getReplay(record.session_id, replayWaitMs);
      return c.json(replay);
    } catch (error) {
      return explainReplay(error, record);
    }
  });
}
