import type { Hono } from "hono";
import { viewTimeline, type TimelinePage, type TimelineView } from "../../control/timeline-view.ts";
import { writeTimelineMarkdown } from "../../control/timeline-markdown.ts";
import { timelineLimits } from "../../timeline/timeline.ts";
import type { SessionAccess } from "./session-access.ts";
import { answerInvalid, answerProblem } from "../problems.ts";
import { findTimeline, type TimelineReaderParts } from "./timeline-reader.ts";

/** Parts that the routes of timelines need. */
export interface TimelineRouteParts extends TimelineReaderParts {
  /** Tells who may use a session. */
  readonly accessOf: SessionAccess;
}

const limits = { default: 500, most: 1_000 } as const;

/** Paths that check credentials themselves. */
export const messagePaths = /^\/control\/sessions\/[^/]+\/console\/?$/;

/** How the timeline and the console of a session are read. */
export function addTimelineRoutes(app: Hono, { accessOf, ...parts }: TimelineRouteParts): void {
  const { sessions } = parts;
  app.get("/control/sessions/:session_id/timeline", async (c) => {
    const format = c.req.query("format");
    if (format !== undefined && format !== "json" && format !== "markdown")
      return answerInvalid([{ loc: ["query", "format"], msg: "Input should be 'json' or 'markdown'", type: "enum" }]);
    const isMarkdown =
      format === "markdown" || (format === undefined && /\btext\/markdown\b/.test(c.req.header("accept") ?? ""));
    const page = readPage(c.req.query(), isMarkdown);
    if (page instanceof Response) return page;
    const view = await readView(c.req.param("session_id"), c.get("holder").name, page);
    if (view instanceof Response) return view;
    return isMarkdown
      ? c.body(writeTimelineMarkdown(view), 200, { "content-type": "text/markdown; charset=utf-8" })
      : c.json(view);
  });

  async function readView(id: string, key: string | null, page: TimelinePage): Promise<TimelineView | Response> {
    const timeline = await findTimeline(parts, id, key);
    return timeline instanceof Response
      ? timeline
      : viewTimeline(timeline.record, timeline.entries, timeline.video, page);
  }

  app.get("/control/sessions/:session_id/console", async (c) => {
    const id = c.req.param("session_id");
    const access = await accessOf(id, c.req.query("token"), c.req.raw, ["steer", "drive"]);
    if (!access) {
      const why =
        "the token or the API key is missing or invalid: use a token of the scope steer or drive, or the API key that created the session";
      return answerProblem(401, why);
    }
    const session = await sessions.get(id, access.key);
    return c.json(session.history.console.view, 200, { "cache-control": "no-store" });
  });
}

/** Reads which part of a timeline is asked for. */
function readPage(query: Readonly<Record<string, string>>, isMarkdown: boolean): TimelinePage | Response {
  const most = isMarkdown ? timelineLimits.entries + 100 : limits.most;
  const after = parseWholeNumber(query["after"] ?? "0", 0, Number.MAX_SAFE_INTEGER);
  const limit = parseWholeNumber(query["limit"] ?? String(isMarkdown ? most : limits.default), 1, most);
  if (after === undefined)
    return answerInvalid([
      { loc: ["query", "after"], msg: "Input should be the number of an entry, or 0", type: "int_parsing" },
    ]);
  if (limit === undefined)
    return answerInvalid([
      { loc: ["query", "limit"], msg: `Input should be an integer from 1 to ${most}`, type: "int_parsing" },
    ]);
  return { after, limit };
}

function parseWholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
  return value >= least && value <= most ? value : undefined;
}
