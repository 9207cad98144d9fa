import { prepareFormat } from "./extraction.ts";
import type { JsonSchema } from "./schema.ts";

/**
 * Responses by the contract: fields that are present, and not null, have the types that the interface shows. A test compares them
 * with the contract.
 */
export const responseSchemas = {
  page_scrape: {
    type: "object",
    properties: {
      markdown: { type: ["string", "null"] },
      images: {
        type: ["array", "null"],
        items: {
          type: "object",
          properties: {
            url: { type: ["string", "null"] },
            category: {
              anyOf: [
                { type: "string", enum: ["favicon", "icon", "content_image", "decorative", "svg_icon", "svg_content"] },
                { type: "null" },
              ],
            },
            description: { type: ["string", "null"] },
          },
        },
      },
      structured: {
        anyOf: [
          {
            type: "object",
            properties: { success: { type: ["boolean", "null"] }, error: { type: ["string", "null"] }, data: {} },
          },
          { type: "null" },
        ],
      },
    },
  },
  session_cookies: {
    type: "object",
    properties: {
      cookies: {
        type: ["array", "null"],
        items: {
          type: "object",
          properties: {
            name: { type: ["string", "null"] },
            value: { type: ["string", "null"] },
            domain: { type: ["string", "null"] },
            path: { type: ["string", "null"] },
            httpOnly: { type: ["boolean", "null"] },
            expirationDate: { type: ["number", "null"] },
            hostOnly: { type: ["boolean", "null"] },
            sameSite: { type: ["string", "null"] },
            secure: { type: ["boolean", "null"] },
            session: { type: ["boolean", "null"] },
            storeId: { type: ["string", "null"] },
            expires: { type: ["number", "null"] },
            partitionKey: { type: ["string", "null"] },
          },
        },
      },
    },
  },
  session_replay: {
    type: "object",
    properties: {
      mp4_url: { type: ["string", "null"] },
      playlist_content: { type: ["string", "null"] },
      expires_at: { type: ["string", "null"] },
      video_start_ms: { type: ["integer", "null"] },
      video_duration_ms: { type: ["integer", "null"] },
    },
  },
};

/** Returns how a response violates the contract, without quoting it; `undefined` when it does not, or the contract does not describe it. */
export async function mismatchIn(operation: string, body: object): Promise<string | undefined> {
  const schemas: { readonly [Name in string]?: JsonSchema } = responseSchemas;
  const format = await prepareFormat(schemas[operation] ?? {});
  const verdict = await format.judge({ success: true, data: body });
  if (verdict.success || verdict.reason !== "mismatch") return undefined;
  const paths = new Set(verdict.issues.map(({ path }) => formatPath(path)));
  // Of nested issues the innermost says where it is: the others only that something in them is wrong.
  const innermost = [...paths].filter((path) => ![...paths].some((other) => other !== path && other.startsWith(path)));
  return `${innermost.slice(0, 3).join(", ")} does not match the contract`;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map(String)
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : `${at ? "." : ""}${step}`))
    .join("");
}
