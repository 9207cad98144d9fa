import { inTurn, markByteOrder, redirect, send, set, status } from "../targets/changes.ts";
import { wrongCookieFields } from "../targets/faults/reads.ts";
import type { FaultRow } from "./fault-row.ts";

/** Redirects to another host. */
export const redirectAway = redirect(307, "https://elsewhere.example/");

/** Faults of the cookies read. */
export const cookiesFaults: readonly FaultRow[] = [
  ["cookies/status-200", "cookies/read", status(204)],
  ["cookies/status-200-every-time", "cookies/read-again-3", status(401)],
  ["cookies/status-200-in-burst", "cookies/read-in-burst-2", status(500)],
  ["cookies/json", "cookies/read", send("sid=1")],
  ["cookies/body-type", "cookies/read", send("[]")],
  ["cookies/cookies-present", "cookies/read", set("cookies")],
  ["cookies/cookies-type", "cookies/read", set("cookies", {})],
  ["cookies/cookie-type", "cookies/read", set("cookies/0", "sid=1")],
  ...Object.entries(wrongCookieFields).map(([field, value]): FaultRow => [
    `cookies/cookie-${field}-type`,
    "cookies/example-complete",
    set(`cookies/0/${field}`, value),
  ]),
  ["cookies/fields-not-null", "cookies/example-typical", set("cookies/0/expires", null)],
  ["cookies/no-server-error", "cookies/open-lower-scheme", status(500)],
  ["cookies/no-redirect", "cookies/read-again-2", redirectAway],
  ["cookies/no-byte-order-mark", "cookies/read-again-2", markByteOrder],
  ["cookies/fields-are-listed", "cookies/example-typical", set("cookies/0/priority", "High")],
  ["cookies/is-served", "cookies/read-again-2", status(501)],
  ["cookies/needs-no-body", "cookies/read", status(411)],
];

/** Faults of the replay read. */
export const replayFaults: readonly FaultRow[] = [
  ["replay/status-200", "replay/read", status(206)],
  ["replay/status-200-every-time", "replay/read-on-kept-connection", status(500)],
  ["replay/status-200-in-burst", "replay/read-in-burst-2", status(401)],
  ["replay/json", "replay/read", send("#EXTM3U")],
  ["replay/body-type", "replay/read", send("[]")],
  ...["mp4_url", "playlist_content", "expires_at", "video_start_ms", "video_duration_ms"].flatMap(
    (field): FaultRow[] => [
      [`replay/${field}-present`, "replay/read", set(field)],
      [`replay/${field}-type`, "replay/read", set(field, field.endsWith("_ms") ? 1.5 : null)],
    ],
  ),
  ["replay/expires_at-valid", "replay/read", set("expires_at", "2026-11-20T12:00:00")],
  ["replay/expires_at-has-time", "replay/read", set("expires_at", "2026-11-20")],
  ["replay/expires_at-to-the-letter", "replay/read", set("expires_at", "2026-11-20 12:00:00+00:00")],
  ["replay/ready-when-ended", "replay/read", inTurn(status(204), send())],
  ["replay/same-recording", "replay/read-again-2", set("video_start_ms", 7)],
  ["replay/no-server-error", "replay/open-with-body", status(500)],
  ["replay/no-redirect", "replay/read-again-2", redirectAway],
  ["replay/no-byte-order-mark", "replay/read-again-2", markByteOrder],
  ["replay/fields-are-listed", "replay/read", set("title", "Harbour")],
  ["replay/is-served", "replay/read-again-2", status(405)],
  ["replay/needs-no-body", "replay/read", status(415)],
  ["replay/mp4_url-address", "replay/read", set("mp4_url", "/recordings/replay.mp4")],
  ["replay/playlist_content-hls", "replay/read", set("playlist_content", "https://recordings.example/replay.m3u8")],
];
