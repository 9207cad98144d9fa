import { at, status, text, type FaultRow, type Json } from "./change.ts";

const cookieFields: Readonly<Record<string, Json>> = {
  name: 7,
  value: 7,
  domain: false,
  path: ["/"],
  httpOnly: "true",
  expirationDate: "2026-11-20",
  hostOnly: 1,
  sameSite: 0,
  secure: "yes",
  session: "no",
  storeId: 0,
  expires: "never",
  partitionKey: { topLevelSite: "https://ferries.example" },
};

/** A redirect, whose body says nothing. */
export const redirect: FaultRow[2] = (response) => ({
  ...response,
  status: 307,
  headers: [["Location", "https://elsewhere.example/"]],
  chunks: [],
});

/** A byte order mark before the body. */
export const byteOrderMark: FaultRow[2] = (response) => ({
  ...response,
  chunks: [{ atMs: 1, bytes: Buffer.from("\u{FEFF}") }, ...response.chunks],
});

/** Faults of the cookies read. */
export const cookiesFaults: readonly FaultRow[] = [
  ["cookies/status-200", "cookies/read", status(204)],
  ["cookies/status-200-every-time", "cookies/read-again-3", status(401)],
  ["cookies/status-200-in-burst", "cookies/read-in-burst-2", status(500)],
  ["cookies/json", "cookies/read", text(() => "sid=1")],
  ["cookies/body-type", "cookies/read", text(() => "[]")],
  ["cookies/cookies-present", "cookies/read", at("cookies")],
  ["cookies/cookies-type", "cookies/read", at("cookies", {})],
  ["cookies/cookie-type", "cookies/read", at("cookies/0", "sid=1")],
  ...Object.entries(cookieFields).map(([field, value]): FaultRow => [
    `cookies/cookie-${field}-type`,
    "cookies/example-complete",
    at(`cookies/0/${field}`, value),
  ]),
  ["cookies/fields-not-null", "cookies/example-typical", at("cookies/0/expires", null)],
  ["cookies/no-server-error", "cookies/open-lower-scheme", status(500)],
  ["cookies/no-redirect", "cookies/read-again-2", redirect],
  ["cookies/no-byte-order-mark", "cookies/read-again-2", byteOrderMark],
  ["cookies/fields-are-listed", "cookies/example-typical", at("cookies/0/priority", "High")],
  ["cookies/is-served", "cookies/read-again-2", status(501)],
  ["cookies/needs-no-body", "cookies/read", status(411)],
];

/** Faults of the replay read. */
export const replayFaults: readonly FaultRow[] = [
  ["replay/status-200", "replay/read", status(206)],
  ["replay/status-200-every-time", "replay/read-on-kept-connection", status(500)],
  ["replay/status-200-in-burst", "replay/read-in-burst-2", status(401)],
  ["replay/json", "replay/read", text(() => "#EXTM3U")],
  ["replay/body-type", "replay/read", text(() => "[]")],
  ...["mp4_url", "playlist_content", "expires_at", "video_start_ms", "video_duration_ms"].flatMap(
    (field): FaultRow[] => [
      [`replay/${field}-present`, "replay/read", at(field)],
      [`replay/${field}-type`, "replay/read", at(field, field.endsWith("_ms") ? 1.5 : null)],
    ],
  ),
  ["replay/expires_at-valid", "replay/read", at("expires_at", "2026-11-20T12:00:00")],
  ["replay/expires_at-has-time", "replay/read", at("expires_at", "2026-11-20")],
  ["replay/expires_at-to-the-letter", "replay/read", at("expires_at", "2026-11-20 12:00:00+00:00")],
  ["replay/ready-when-ended", "replay/read", (response) => ({ ...response, status: 204, chunks: [] })],
  ["replay/same-recording", "replay/read-again-2", at("video_start_ms", 7)],
  ["replay/no-server-error", "replay/open-with-body", status(500)],
  ["replay/no-redirect", "replay/read-again-2", redirect],
  ["replay/no-byte-order-mark", "replay/read-again-2", byteOrderMark],
  ["replay/fields-are-listed", "replay/read", at("title", "Harbour")],
  ["replay/is-served", "replay/read-again-2", status(405)],
  ["replay/needs-no-body", "replay/read", status(415)],
  ["replay/mp4_url-address", "replay/read", at("mp4_url", "/recordings/replay.mp4")],
  ["replay/playlist_content-hls", "replay/read", at("playlist_content", "https://recordings.example/replay.m3u8")],
];
