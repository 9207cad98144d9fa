import {
  readAutomationStream,
  StreamError,
  type AutomationStream,
  type AutomationStreamOptions,
  type Timeouts,
} from "@cloud-browser/stream";
import type { Client } from "openapi-fetch";
import { ClientError, guardArguments, type ClientErrorCode, requireOptions } from "../errors/client-error.ts";
import { createRedactor } from "../errors/redaction.ts";
import type { RawClient } from "../http/connection.ts";
import { safeCallbacks } from "../options/safe-callbacks.ts";
import { resumableEvents } from "./resumable-events.ts";

/** Part of a client that runs need: `createCloudBrowser` makes one. */
export interface RunClient {
  /** Sends requests with the key. */
  readonly raw: RawClient;
}

/** Options of the reading of a run's events. */
export interface AttachOptions extends AutomationStreamOptions {
  /** Id of the last event that is known already: those after it are read. Default: all events. */
  readonly after?: string | undefined;
}

/** A run, and its events. */
export interface Run {
  /** Its id: `thread_id` of the control interface. */
  readonly id: string;
  /** Its events, each once, and its one outcome, over as many connections as that takes. Leaving it does not stop the run. */
  readonly stream: AutomationStream;
  /** Id of the last event that was read: with it `attachRun` resumes in another process. `undefined` before the first one. */
  readonly lastEventId: string | undefined;
}

/** The operations of the service's control interface that are used here. */
interface RunPaths {
  "/control/runs/{thread_id}/events": {
    get: {
      parameters: { path: { thread_id: string }; header?: { "last-event-id"?: string } };
      responses: { 200: { content: { "text/event-stream": string } } };
    };
  };
}

/**
 * Reads the events of a run, active or ended, from any event on. Sends nothing until the stream is read, and never starts a run.
 *
 * A lost connection is reopened after the last event received, until no bytes came for as long as `timeouts` say, or the service
 * refuses. The operation is not part of the interface: it is one of `@cloud-browser/service`.
 *
 * @throws {ClientError} `misuse` when the id or `after` can't be used. What else fails comes with the iteration, as a `StreamError`
 * `connection-lost` with a `ClientError` as its cause.
 *
 * @example
 * ```ts from=examples/api/client/attach-run.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { attachRun } from "@cloud-browser/client/runs";
 *
 * // `after`: the id of the last event that another process has read; without it, all events.
 * const run = attachRun(createCloudBrowser(), "c1b6a2de-4f7e-4a52-8f0a-9e2d5b7c3f60", { after: "2" });
 * let count = 0;
 * for await (const event of run.stream) if (event.type !== "done") count += 1;
 * console.log(count, run.lastEventId); // 8 11
 * ```
 */
export function attachRun(client: RunClient, id: string, options: AttachOptions = {}): Run {
  const { raw }: Partial<RunClient> = guardArguments(() => ({ ...Object(client) }));
  const { after, ...own } = copyOptions(
    guardArguments(() => typeof Object(raw).GET === "function"),
    options,
  );
  if (!isRunId(id)) throw new ClientError("misuse", "the id of a run must be one that the service gave");
  if (after !== undefined && !matches(after, /^(?:\d+|end)$/)) {
    throw new ClientError("misuse", '`after` must be an event id: a number as a string, such as "12", or "end"');
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same client, with the paths of the control interface
  const control = raw as unknown as Client<RunPaths>;
  const path = "/control/runs/{thread_id}/events";
  const { source, lastId } = resumableEvents(
    async (last, signal) => {
      const { response, data } = await control
        .GET(path, {
          params: { path: { thread_id: id }, header: last === undefined ? {} : { "last-event-id": last } },
          headers: { accept: "text/event-stream" },
          parseAs: "stream",
          signal,
        })
        .catch((error: unknown) => {
          const { code }: Partial<ClientError> = Object(error);
          if (code !== "network") throw error;
          throw new ClientError("network", "connection closed before the response was complete", {
            cause: error,
            retryable: true,
          });
        });
      if (response.ok && data && !isEventStream(response)) {
        const head = await readBeginning(data);
        throw new StreamError("not-a-stream", undefined, { status: response.status, head });
      }
      if (response.ok) return data ?? undefined;
      const { status } = response;
      const code = codes[status] ?? (status >= 500 ? "server" : "unexpected-status");
      const retryable = status === 429 || status >= 500;
      throw new ClientError(code, `${path} answered with ${status}`, { response, retryable });
    },
    after,
    guardArguments(() => longestPause(own.timeouts)),
  );
  return {
    id,
    stream: readAutomationStream(source, { ...own, ...safeCallbacks(own, createRedactor(Object(raw))) }),
    get lastEventId() {
      return lastId();
    },
  };
}

/** Returns whether a value can be the id of a run: letters, digits and marks that a segment of a path may have as they are. */
export function isRunId(id: unknown): id is string {
  return matches(id, /^(?!\.\.?$)[\w.~:@!$&'()*+,;=-]+$/);
}

/** Returns whether a response says that it is an event stream, or says nothing. */
function isEventStream({ headers }: Response): boolean {
  return /^(?:text\/event-stream\s*)?(?:[;,]|$)/i.test(headers.get("content-type") ?? "");
}

/** Returns the beginning of a body as text, at most 512 bytes, and discards the rest. */
async function readBeginning(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const { value } = await reader.read().catch(() => ({ value: undefined }));
  void reader.cancel().catch(() => undefined);
  return new TextDecoder().decode(value?.subarray(0, 512));
}

/** Returns the longest pause that makes sense before a reconnection, in milliseconds: after it, a time limit would have expired. */
function longestPause({
  bytesMs = 300_000,
  eventsMs = 900_000,
  firstEventMs = eventsMs,
  totalMs = Infinity,
}: Timeouts = {}): number {
  return Math.min(bytesMs, eventsMs, firstEventMs, totalMs);
}

/**
 * Returns a copy of options, after it has checked that they and the client can be used, for callers without types.
 *
 * @throws {ClientError} `misuse`.
 */
export function copyOptions<Options extends object>(isClient: boolean, options: Options): Options {
  if (!isClient) throw new ClientError("misuse", "the client must be one of createCloudBrowser");
  requireOptions(options);
  const copy = guardArguments(() => ({ ...options }));
  for (const name of ["onOutcome", "onReport"]) {
    const callback: unknown = Reflect.get(copy, name);
    if (callback !== undefined && typeof callback !== "function") {
      throw new ClientError("misuse", `${name} must be a function`);
    }
  }
  return copy;
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

const codes: Readonly<Record<number, ClientErrorCode>> = {
  401: "authentication",
  403: "authentication",
  404: "not-found",
  422: "validation",
  429: "rate-limited",
};
