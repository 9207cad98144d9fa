import type { Fault } from "../control/validation-faults.ts";
import { answerInvalid, answerProblem } from "./problems.ts";

/** Largest body of a request, in bytes. */
const bodyLimit = 1024 * 1024;
/** Largest body that is read to its end although it is too large, in bytes: a client that is still sending gets the refusal only then. */
export const discardedLimit = 16 * bodyLimit;

/** A parsed body, or its error. */
export type JsonBody = ReadJson | { readonly tooLarge: number };

/** Returns the coding of a body, such as `gzip`, where it is none that is read: bodies are read as they are. */
export function findUnreadCoding({ headers }: Request): string | undefined {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  return coding === "" || coding === "identity" ? undefined : coding;
}

/** Parsed JSON, or its error. */
export type ReadJson = { readonly value: unknown } | { readonly fault: Fault };

/**
 * Reads the body of a request as JSON, whatever its media type says: a body that says something else and is JSON does no harm.
 *
 * Source: interface § Endpoints ("Request and response bodies are JSON").
 */
export async function readJson(request: Request): Promise<JsonBody> {
  const bytes = await readBytes(request);
  return "tooLarge" in bytes ? bytes : parseJsonBody(bytes);
}

/** Reads bytes as JSON. */
export function parseJsonBody(bytes: Uint8Array): ReadJson {
  if (bytes.length === 0) return { fault: { loc: ["body"], msg: "Field required", type: "missing" } };
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown };
  } catch (cause) {
    const why = cause instanceof SyntaxError ? "malformed JSON" : "not UTF-8";
    return { fault: { loc: ["body"], msg: `JSON decode error: ${why}`, type: "json_invalid" } };
  }
}

/**
 * Reads the whole body of a request, unless it is larger than may be.
 *
 * @param limit - Most bytes, at most 16 MiB. Default: 1 MiB.
 */
export async function readBytes(
  { body, headers }: Request,
  limit = bodyLimit,
): Promise<Uint8Array<ArrayBuffer> | { readonly tooLarge: number }> {
  let chunks: Uint8Array[] = [];
  if (Number(headers.get("content-length")) > discardedLimit) return { tooLarge: limit };
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > discardedLimit) break;
    if (size > limit) chunks = [];
    else chunks.push(chunk);
  }
  return size > limit ? { tooLarge: limit } : Buffer.concat(chunks);
}

/** How the body of a request is required. */
export interface JsonRequirement {
  /** Most bytes, at most 16 MiB. Default: 1 MiB. */
  readonly limit?: number;
  /** Stands for a body that is empty. Default: that is refused. */
  readonly missing?: object;
}

/** Reads the body of a request as JSON. Returns the refusal of one that is too large, empty, or no JSON. */
export async function requireJson(
  request: Request,
  { limit, missing }: JsonRequirement = {},
): Promise<{ readonly value: unknown; readonly bytes: Uint8Array<ArrayBuffer> } | Response> {
  const bytes = await readBytes(request, limit);
  if ("tooLarge" in bytes) return refuseLength(bytes.tooLarge);
  if (bytes.length === 0 && missing !== undefined) return { value: missing, bytes };
  const json = parseJsonBody(bytes);
  return "fault" in json ? answerInvalid([json.fault]) : { value: json.value, bytes };
}

/** Refuses a body that is larger than so many bytes. */
export function refuseLength(limit: number): Response {
  return answerProblem(413, `the body is larger than ${limit} bytes`);
}
