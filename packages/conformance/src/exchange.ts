import type { Operation, RequestPlan } from "./request-plan.ts";

/** Bytes as they arrived, with their time. Source: ours. */
export interface Chunk {
  /** Milliseconds since the request was sent. */
  readonly atMs: number;
  /** As they came, of any number. */
  readonly bytes: Uint8Array;
}

/**
 * How the response body ended.
 *
 * - `complete`: the target ended it.
 * - `reset`: the connection broke in the middle.
 * - `still-open`: a terminal event had come, and the target did not end the stream within the time given to it.
 * - `timeout`: the suite's limit of time was reached.
 * - `too-large`: the suite's limit of size was reached.
 *
 * Source: ours.
 */
export type BodyEnd = "complete" | "reset" | "still-open" | "timeout" | "too-large";

/** A response as it came over the wire: nothing decoded, nothing followed. Source: ours. */
export interface RawResponse {
  /** HTTP status. */
  readonly status: number;
  /** Names and values in the order and the case in which they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, piece by piece; empty for no body. */
  readonly chunks: readonly Chunk[];
  /** How the body ended. */
  readonly end: BodyEnd;
}

/**
 * One request with its response, or the reason why none came. Holds secrets: reports show a recorded copy of it.
 *
 * Source: ours.
 */
export interface Exchange {
  /** Id of the probe that made it. */
  readonly id: string;
  /** Operation that was called. */
  readonly operation: Operation;
  /** Address that was asked, query included. */
  readonly url: string;
  /** What the probe planned. */
  readonly plan: RequestPlan;
  /** Headers that were sent, the credentials among them. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** When the request was sent. */
  readonly startedAt: Date;
  /** From sending to the end of the body, in milliseconds. */
  readonly durationMs: number;
  /** Absent when none came. */
  readonly response?: RawResponse;
  /** Why there is no response: the connection failed, or no headers came in time. */
  readonly failure?: { readonly code: "unreachable" | "reset" | "timeout"; readonly message: string };
}

/** The value of the first header of that name, whatever its case. Source: ours. */
export function header(response: RawResponse, name: string): string | undefined {
  return response.headers.find(([given]) => given.toLowerCase() === name)?.[1];
}

/** The media type in lower case, without parameters; an empty string when there is none. Source: ours. */
export function mediaType(response: RawResponse): string {
  return (header(response, "content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** All bytes of the body. Source: ours. */
export function bodyBytes(response: RawResponse): Uint8Array {
  return Buffer.concat(response.chunks.map((chunk) => chunk.bytes));
}

/** The body as text; bytes that are not UTF-8 become U+FFFD. Source: ours. */
export function bodyText(response: RawResponse): string {
  return new TextDecoder().decode(bodyBytes(response));
}

/** The body as JSON, or why it is none. Source: ours. */
export function bodyJson(response: RawResponse): { readonly value: unknown } | { readonly problem: string } {
  const bytes = bodyBytes(response);
  if (bytes.length === 0) return { problem: "an empty body" };
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return { value };
  } catch (error) {
    return { problem: error instanceof SyntaxError ? "a body that is not JSON" : "a body that is not UTF-8" };
  }
}

/** The JSON body of an answer with that status, or why there is none to judge. Source: ours. */
export function jsonAnswer(
  exchange: Exchange,
  status: number,
): { readonly value: unknown } | { readonly reason: string } {
  const { response } = exchange;
  if (response?.status !== status) return { reason: `No answer with status ${status} came.` };
  const body = bodyJson(response);
  return "problem" in body ? { reason: `The answer has ${body.problem}.` } : body;
}
