import type { ControlSession } from "@cloud-browser/client/control";
import { factsSchema, sessionId } from "./schemas.ts";
import { ToolError, type FactValue, type Tool } from "./tool.ts";

/** Maximum number of sessions in a list. */
const mostListed = 50;

/** Opens a session. */
export const openSessionTool: Tool = {
  name: "open_session",
  title: "Open a browser session",
  description: "Open a browser session on a page. It is recorded. End it when you are done.",
  inputSchema: {
    type: "object",
    properties: { url: { type: "string", description: "http(s) address", maxLength: 8_192 } },
    required: ["url"],
    additionalProperties: false,
  },
  outputSchema: factsSchema({ session_id: "string", next: "string" }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  needsControl: true,
  async run({ control, settings }, args, { signal }) {
    // Not with the signal of the call: a request that is given up may have opened a session that nobody ends.
    const session = await control.sessions.open({
      url: args.requiredText("url"),
      ...(settings.profile !== undefined && { profile: settings.profile }),
    });
    if (signal.aborted) {
      await control.sessions.end(session.session_id);
      throw new ToolError("the call was cancelled; the session that it had opened is ended");
    }
    const { session_id, cdp_url } = session;
    return {
      facts: {
        session_id,
        ...(settings.profile !== undefined && { profile: settings.profile.name }),
        ...(settings.allowed.has("cdp-urls") && cdp_url !== null && { cdp_url }),
        next: `scrape {"session_id":"${session_id}"}`,
      },
      pageText: describePage(session),
    };
  },
};

/** Lists sessions. */
export const listSessionsTool: Tool = {
  name: "list_sessions",
  title: "List browser sessions",
  description: "List the newest sessions, with page and recording.",
  inputSchema: {
    type: "object",
    properties: { state: { type: "string", enum: ["active", "ended"], description: "default: both" } },
    additionalProperties: false,
  },
  outputSchema: factsSchema({ sessions: "array", next: "string" }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  needsControl: true,
  async run({ control, settings }, args, { signal }) {
    const state = args.text("state");
    const { sessions } = await control.sessions.list(
      { limit: mostListed, ...((state === "active" || state === "ended") && { state }) },
      { signal },
    );
    const listed = sessions.slice(0, mostListed).map((session): FactValue => {
      const { session_id, created_at, ended_at, recording, control: held, thread_id, cdp_url } = session;
      const run = thread_id === null ? undefined : { run_id: thread_id };
      const cdp = settings.allowed.has("cdp-urls") && cdp_url !== null ? { cdp_url } : undefined;
      const shown = { session_id, state: session.state, created_at, ended_at, recording: recording?.state ?? null };
      return Object.assign(shown, { controlled_by: held?.holder ?? null }, run, cdp);
    });
    return {
      facts: { sessions: listed, ...(listed.length === 0 && { next: "open_session opens one" }) },
      ...(listed.length > 0 && {
        pageText: sessions
          .slice(0, mostListed)
          .map((session) => `${session.session_id}: ${describePage(session)}`)
          .join("\n")
          .slice(0, settings.maxPageChars),
      }),
    };
  },
};

/** Ends a session. */
export const endSessionTool: Tool = {
  name: "end_session",
  title: "End a browser session",
  description: "End a session for good; its replay can be read then.",
  inputSchema: {
    type: "object",
    properties: { session_id: sessionId },
    required: ["session_id"],
    additionalProperties: false,
  },
  outputSchema: factsSchema({ session_id: "string", state: "string" }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needsControl: true,
  async run({ control }, args, { signal }) {
    const { session_id, state, end_reason, recording } = await control.sessions.end(args.requiredText("session_id"), {
      signal,
    });
    return { facts: { session_id, state, end_reason, recording: recording?.state ?? "none" } };
  },
};

/** Returns title and address of the page of a session, both untrusted. The service masks secrets in the address. */
function describePage({ title, url }: Pick<ControlSession, "title" | "url">): string {
  return `${(title ?? "").replaceAll(/\s+/gu, " ").slice(0, 100) || "(no title)"} | ${(url ?? "").slice(0, 300)}`;
}
