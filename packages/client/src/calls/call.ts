import { attempt, type AttemptProgress } from "./attempt.ts";
import type { ClientPromise } from "./client-promise.ts";
import { ClientError, ownError } from "../errors/client-error.ts";
import { defaultTimeouts, startDeadline } from "./deadline.ts";
import { notify } from "../options/hooks.ts";
import type { Answer, CallContext, OperationCall } from "./operation-call.ts";
import { isTransient, retryDelay } from "../options/retry-policy.ts";

/**
 * Makes a call, with retries.
 *
 * @throws {ClientError} for every response but a 2xx with the expected content; with operation, number of attempts and duration.
 */
export async function call<Data>(operationCall: OperationCall<Data>, context: CallContext): Promise<Answer<Data>> {
  const { limits, isRetryable = isTransient } = operationCall;
  const { operation } = operationCall.request;
  const { options, connection } = context;
  const { timeouts, maxBodyBytes, retries } = options;
  const wrong = wrongLimit("", { maxBodyBytes, ...limits }) ?? wrongLimit("timeouts.", timeouts);
  if (wrong !== undefined) throw new ClientError("misuse", wrong, { operation, attempts: 0 });
  const startedAt = performance.now();
  const { headersMs = defaultTimeouts.headersMs, bodyMs = defaultTimeouts.bodyMs } = timeouts;
  const firstMs = Math.min(headersMs, bodyMs);
  const deadline = startDeadline(options.signal, timeouts.totalMs ?? Infinity, connection.redactKeys, firstMs);
  const progress: AttemptProgress = { attempts: 0 };
  let waitMs: number | undefined;
  try {
    for (let nth = 1; ; nth++) {
      try {
        const delayMs = waitMs;
        return await deadline.attempt((time) => attempt(operationCall, context, time, progress, delayMs));
      } catch (thrown) {
        const error = connection.redactRequestId(ownError(thrown) ?? unsendable(connection.redact(thrown)));
        const retryable = isRetryable(error);
        const { attempts, request } = progress;
        const url = request && { url: connection.locate(request) };
        Object.assign(error, { attempts, ...url, operation, durationMs: performance.now() - startedAt, retryable });
        const leftMs = (timeouts.totalMs ?? Infinity) - (performance.now() - startedAt);
        waitMs = retryable ? retryDelay(error, nth, operationCall.retries ?? retries, leftMs) : undefined;
        if (waitMs === undefined) {
          notify(options, "onFailure", { operation, error });
          throw error;
        }
        notify(options, "onRetry", { operation, attempt: progress.attempts, delayMs: waitMs, error });
      }
    }
  } finally {
    deadline.release();
  }
}

/** Creates the promise of a call. */
export function clientPromise<Data>(answer: Promise<Answer<Data>>): ClientPromise<Data> {
  const data = answer.then(({ data: own }) => own);
  const withResponse: ClientPromise<Data>["withResponse"] = () => {
    data.catch(() => undefined); // the rejection is that of the returned promise
    return answer.then(({ data: own, response, text }) => ({
      data: own,
      response: text === undefined ? response : new Response(text, response),
    }));
  };
  return Object.assign(data, { withResponse });
}

/** Returns a message about the first limit that is not positive. */
function wrongLimit(prefix: string, limits: object): string | undefined {
  for (const [name, limit] of Object.entries<number | undefined>({ ...limits })) {
    if (limit !== undefined && !(limit > 0)) return `${prefix}${name} must be a positive number, not ${limit}`;
  }
  return undefined;
}

/** Creates the error of a request that can't be built. A `TypeError` of the runtime is not its cause: it may quote headers. */
function unsendable(redacted: unknown): ClientError {
  const cause = Object(redacted).name === "TypeError" ? undefined : redacted;
  return new ClientError("misuse", "a value can't be serialized, or fetch or middleware threw", { cause });
}
