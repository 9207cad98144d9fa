import { waitForReplay } from "@cloud-browser/client/replay";
import { waitSeconds } from "./runs.ts";
import { factsSchema, sessionId } from "./schemas.ts";
import { ToolError, type Tool } from "./tool.ts";

/** Interval of polling for a replay, in milliseconds. */
const intervalMs = 1_000;

/** Finds the replay of a session. */
export const replayTool: Tool = {
  name: "get_replay",
  title: "Find the replay of a session",
  description: "Find the video of an ended session: link for the person, length, expiry. Waits until it is ready.",
  inputSchema: {
    type: "object",
    properties: { session_id: sessionId, wait_s: waitSeconds },
    required: ["session_id"],
    additionalProperties: false,
  },
  outputSchema: factsSchema({
    session_id: "string",
    video_duration_ms: "integer",
    expires_at: "string",
    link: "string",
    next: "string",
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  needsControl: false,
  async run({ client, control, settings, address, hasControl }, args, { signal, progress }) {
    const id = args.requiredText("session_id");
    const waitS = args.number("wait_s") ?? 45;
    const isControlled = await hasControl();
    if (isControlled && (await control.sessions.read(id, { signal })).state === "active") {
      throw new ToolError(`the session is open: end_session {"session_id":"${id}"} first, then call again`);
    }
    const replay = await waitForReplay(client, id, {
      signal,
      intervalMs,
      deadlineMs: Math.max(1, waitS * 1_000),
      // Where nothing else tells that a session has ended, a replay that is not ready may not be found.
      pendingStatuses: isControlled ? [409, 425] : [404, 409, 425],
      onWait: () => progress("waiting for the replay"),
    });
    const { mp4_url, expires_at, video_start_ms, video_duration_ms } = replay;
    const isAllowed = settings.allowed.has("replay-links");
    const page = `${address}/#/sessions/${encodeURIComponent(id)}/replay`;
    const place = isControlled ? "at the link, with their key, or " : "";
    return {
      facts: {
        session_id: id,
        video_start_ms: video_start_ms ?? null,
        video_duration_ms: video_duration_ms ?? null,
        expires_at: expires_at ?? null,
        ...(isAllowed ? { link: mp4_url ?? null } : isControlled && { link: page }),
        ...(!isAllowed && {
          next: `the person plays it ${place}with: cloud-browser replay ${id}. The presigned address is not shown: replay-links are not allowed here`,
        }),
      },
    };
  },
};
