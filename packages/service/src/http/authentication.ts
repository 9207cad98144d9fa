import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Tells whether a request carries the API key as `Authorization: Bearer <key>`.
 *
 * Source: interface § Authentication.
 */
export function keyGuard(apiKey: string): (request: Request) => boolean {
  const right = digest(apiKey);
  return (request) => {
    const [, given] = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    return given !== undefined && timingSafeEqual(digest(given), right);
  };
}

/** Of equal length whatever the text, so that a comparison tells nothing by its time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
