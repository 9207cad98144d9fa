import { ClientError, isRecord } from "../errors/client-error.ts";
import { followSignal } from "./safe-signal.ts";
import type { ReplayClient, ReplayResponse } from "./replay-client.ts";
import { pause, withDeadline } from "./abortable.ts";
import { assertTransferOptions } from "./transfer-options.ts";

/** Progress of a wait for a replay. */
export interface WaitProgress {
  /** Number of requests so far. */
  readonly attempts: number;
  /** Time since the start of the wait, in milliseconds. */
  readonly elapsedMs: number;
  /** Delay before the next request, in milliseconds. */
  readonly waitMs: number;
  /** HTTP status of the last response; `undefined` when it was a replay without the requested part. */
  readonly status: number | undefined;
}

/** Options of the wait for a replay. */
export interface WaitOptions {
  /**
   * Condition to wait for: `video`, a replay with an `mp4_url`; `playlist`, one with a `playlist_content`; `replay`, any replay.
   * Default: `video`.
   */
  readonly until?: "video" | "playlist" | "replay" | undefined;
  /**
   * HTTP statuses that mean that the replay is not ready. The interface does not show which one the service uses; a 404 may also
   * mean that the session does not exist, or that the replay was deleted. Default: 404, 409, 425. Source: interface § Errors.
   */
  readonly pendingStatuses?: readonly number[] | undefined;
  /** Polling interval, in milliseconds; above 0. Default: 5000. */
  readonly intervalMs?: number | undefined;
  /** Total time limit, in milliseconds; above 0. The wait ends earlier if another request would exceed it. Default: 240000. */
  readonly deadlineMs?: number | undefined;
  /** Ends the wait at once when it aborts. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each delay, and awaited. An error of it ends the wait and is rethrown. Default: none. */
  readonly onWait?: ((progress: WaitProgress) => void) | undefined;
}

/**
 * Polls the replay of a session until it is available. Does not end the session, and does not download the replay.
 *
 * An empty `mp4_url` or `playlist_content` counts as missing.
 *
 * Source: interface § States and transitions.
 *
 * @throws {ClientError} `misuse` when an option is invalid; `replay-unavailable` after `deadlineMs`, with the last error of the
 * client as its cause; `aborted`. Other errors of `client.replay` are rethrown unchanged.
 *
 * @example
 * ```ts from=examples/api/client/wait-for-replay.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { waitForReplay } from "@cloud-browser/client/replay";
 *
 * const replay = await waitForReplay(createCloudBrowser(), "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", {
 *   deadlineMs: 120_000,
 * });
 * console.log(replay.video_duration_ms); // 6000
 * ```
 */
export async function waitForReplay(
  client: ReplayClient,
  sessionId: string,
  options: WaitOptions = {},
): Promise<ReplayResponse> {
  assertTransferOptions(client, options);
  const { until = "video", pendingStatuses = [404, 409, 425], intervalMs = 5000, deadlineMs = 240_000 } = options;
  const { onWait } = options;
  if (!(intervalMs > 0 && deadlineMs > 0 && ["video", "playlist", "replay"].includes(until))) {
    throw new ClientError("misuse", "intervalMs and deadlineMs must be above 0, until video, playlist or replay");
  }
  const start = performance.now();
  const elapsed = (): number => performance.now() - start;
  const controller = new AbortController();
  const { signal, release } = followSignal(options.signal, client);
  let rejection: unknown;
  const ask = async (): Promise<ReplayResponse> => {
    try {
      return await client.replay(sessionId, { signal: controller.signal });
    } catch (error) {
      throw (rejection = error);
    }
  };

  try {
    for (let attempts = 1; ; attempts++) {
      let cause: unknown;
      let isLate = false;
      try {
        const replay = await withDeadline(ask, signal, Math.ceil(deadlineMs - elapsed()));
        const { mp4_url: video, playlist_content: playlist } = replay;
        if ({ video, playlist, replay }[until]) return replay;
      } catch (error) {
        isLate = error !== rejection && error instanceof ClientError && error.code === "timeout";
        if (!isLate && !pendingStatuses.includes(findStatus(error) ?? NaN)) throw error;
        cause = error;
      }
      const elapsedMs = elapsed();
      if (isLate || elapsedMs + intervalMs >= deadlineMs) {
        const details = { attempts, durationMs: elapsedMs, ...(cause !== undefined && { cause }) };
        throw new ClientError("replay-unavailable", `timed out waiting for the ${until}`, details);
      }
      const progress = { attempts, elapsedMs, waitMs: intervalMs, status: findStatus(cause) };
      await withDeadline(() => onWait?.(progress), signal);
      await pause(intervalMs, signal);
    }
  } finally {
    release();
    controller.abort(); // cancels a request that is still pending
  }
}

/** Returns the status of an error, also of one of another copy of this package. */
function findStatus(error: unknown): number | undefined {
  return isRecord(error) && typeof error["status"] === "number" ? error["status"] : undefined;
}
