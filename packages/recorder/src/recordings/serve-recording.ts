import type { Recordings, UrlRefusal } from "./recordings.ts";
import { serveFile } from "../serving/serve-file.ts";

/** Players on pages of any origin may read (CORS); the signature is the credential. */
const crossOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "accept-ranges, content-length, content-range, etag, last-modified",
  "cross-origin-resource-policy": "cross-origin",
};

const refusals: Record<UrlRefusal, { readonly status: number; readonly detail: string }> = {
  unsigned: { status: 403, detail: "missing signature: use a URL from a replay" },
  wrong: { status: 403, detail: "invalid signature: use the URL exactly as the replay gives it" },
  expired: { status: 403, detail: "the presigned URL has expired: fetch the replay again" },
  missing: { status: 404, detail: "the file has been deleted" },
};

const allowed = "GET, HEAD, OPTIONS";

/**
 * Handles requests for `…/recordings/{session}/{file}`: files of replays, with presigned URLs.
 */
export async function serveRecording(recordings: Recordings, request: Request): Promise<Response> {
  const response = await answer(recordings, request);
  for (const [name, value] of Object.entries(crossOrigin)) response.headers.set(name, value);
  return response;
}

async function answer(recordings: Recordings, request: Request): Promise<Response> {
  if (request.method === "OPTIONS") {
    const headers = {
      "access-control-allow-methods": allowed,
      "access-control-allow-headers": "range, if-range, if-none-match",
    };
    return new Response(null, { status: 204, headers });
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: allowed } });
  }
  const url = new URL(request.url);
  const [, sessionId = "", file = ""] = /\/recordings\/([\w-]+)\/([\w-]+\.[\w-]+)$/u.exec(url.pathname) ?? [];
  const found = await recordings.find(sessionId, file, url.searchParams);
  if (typeof found !== "string") return serveFile(request, found);
  const { status, detail } = refusals[found];
  return Response.json({ detail }, { status, headers: { "cache-control": "no-store" } });
}
