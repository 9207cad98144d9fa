import { ClientError, isRecord } from "../errors/client-error.ts";
import type { ReplayClient, ReplayResponse } from "./replay-client.ts";
import { pause, within } from "./abortable.ts";
import { demandOptions } from "./transfer-options.ts";

/** Progress of a wait for a replay. */
export interface WaitProgress {
  /** How often the client was asked. */
  readonly attempts: number;
  /** Milliseconds since the wait began. */
  readonly elapsedMs: number;
  /** Milliseconds until the client is asked again. */
  readonly waitMs: number;
  /** HTTP status of the last answer; `undefined` when there was a replay that has not yet what is waited for. */
  readonly status: number | undefined;
}

/** How to wait for a replay. */
export interface WaitOptions {
  /**
   * Condition that ends the wait: `video`, a replay with an `mp4_url`; `playlist`, one with a `playlist_content`; `replay`, any.
   * Default: `video`.
   */
  readonly until?: "video" | "playlist" | "replay" | undefined;
  /**
   * HTTP statuses that mean "not yet". Which one the service uses the interface does not show; a 404 may as well mean that
   * there is no such session, or no replay any more. Default: 404, 409, 425. Source: interface § Errors.
   */
  readonly pendingStatuses?: readonly number[] | undefined;
  /** Pause between two questions, in milliseconds; above 0. Default: 5000. */
  readonly intervalMs?: number | undefined;
  /** How long to wait in all, in milliseconds; above 0. It ends sooner when no further question fits. Default: 240000. */
  readonly deadlineMs?: number | undefined;
  /** Ends the wait at once when it aborts. Default: never. */
  readonly signal?: AbortSignal | undefined;
  /** Told before every pause, and waited for. What it throws or rejects with ends the wait and is passed on. Default: nobody is told. */
  readonly onWait?: ((progress: WaitProgress) => void) | undefined;
}

/**
 * Asks for the replay of a session until it is there. Does not end the session, and does not download.
 *
 * An empty `mp4_url` or `playlist_content` counts as missing.
 *
 * Source: interface § States and transitions.
 *
 * @throws {ClientError} `misuse` when a number is out of range; `replay-unavailable` after `deadlineMs`, with the last error of
 * the client as its cause; `aborted`. Any other rejection of `client.replay` is passed on unchanged.
 */
export async function waitForReplay(
  client: ReplayClient,
  sessionId: string,
  options: WaitOptions = {},
): Promise<ReplayResponse> {
  demandOptions(client, options);
  const { until = "video", pendingStatuses = [404, 409, 425], intervalMs = 5000, deadlineMs = 240_000 } = options;
  const { signal, onWait } = options;
  if (!(intervalMs > 0 && deadlineMs > 0 && /^(?:video|playlist|replay)$/.test(until))) {
    throw new ClientError("misuse", "intervalMs and deadlineMs must be above 0, until video, playlist or replay");
  }
  const start = performance.now();
  const elapsed = (): number => performance.now() - start;
  const controller = new AbortController();
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
        const replay = await within(ask, signal, Math.ceil(deadlineMs - elapsed()));
        const { mp4_url: video, playlist_content: playlist } = replay;
        if ({ video, playlist, replay }[until]) return replay;
      } catch (error) {
        isLate = error !== rejection && error instanceof ClientError && error.code === "timeout";
        if (!isLate && !pendingStatuses.includes(statusOf(error) ?? NaN)) throw error;
        cause = error;
      }
      const elapsedMs = elapsed();
      if (isLate || elapsedMs + intervalMs >= deadlineMs) {
        const details = { attempts, durationMs: elapsedMs, ...(cause !== undefined && { cause }) };
        throw new ClientError("replay-unavailable", `timed out waiting for the ${until}`, details);
      }
      const progress = { attempts, elapsedMs, waitMs: intervalMs, status: statusOf(cause) };
      await within(() => onWait?.(progress), signal);
      await pause(intervalMs, signal);
    }
  } finally {
    controller.abort(); // ends a question that nobody waits for
  }
}

/** Also of an error of another copy of this package. */
function statusOf(error: unknown): number | undefined {
  return isRecord(error) && typeof error["status"] === "number" ? error["status"] : undefined;
}
