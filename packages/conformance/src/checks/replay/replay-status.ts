import { judgeAccepted, unserved } from "../answers.ts";
import { rejectedFields } from "../blamed-fields.ts";
import { inError, judgeStatus, nothingSeen, type Judgement, type Exchanges } from "../check.ts";
import { namedSchema } from "../../contract/contract.ts";
import { bodyJson, isAnswerTo, findRedirect, succeeded, type Exchange, jsonAnswer } from "../../http/exchange.ts";
import { isObject } from "../../http/json.ts";
import { isMomentary } from "../setup-statuses.ts";
import { findUnserved } from "../unserved.ts";

const fields = Object.keys(namedSchema("ReplayResponse").properties ?? {});

/** Returns whether an answer holds a field of a replay. */
function hasReplay({ response }: Exchange): boolean {
  const body = response && bodyJson(response);
  const value = body && "value" in body && isObject(body.value) ? body.value : {};
  return fields.some((name) => Object.hasOwn(value, name));
}

/** Returns the fields of a replay as received, of any type; empty when no replay came. Source: interface § ReplayResponse. */
export function readReplay(exchange: Exchange): Readonly<Record<string, unknown>> {
  const body = jsonAnswer(exchange, 200);
  return "value" in body && isObject(body.value) ? body.value : {};
}

/** Statuses about the key, or about a session that does not exist, or no longer does: they do not mean that a recording is not ready. */
const ofKeyOrSession: ReadonlySet<number> = new Set([401, 402, 403, 404, 407, 410, 451]);

/**
 * Returns whether an answer may mean that a recording is not ready yet: the interface shows no status for that. One that has the
 * recording, leads elsewhere, blames the key or the session, or asks to wait for another reason does not.
 */
export function mayBeNotReady(exchange: Exchange): boolean {
  const { response } = exchange;
  if (!response || response.status === 200 || hasReplay(exchange)) return false;
  if (rejectedFields(exchange).includes("session_id") || findUnserved(exchange) !== undefined) return false;
  const { status } = response;
  return findRedirect(exchange) === undefined && !ofKeyOrSession.has(status) && !isMomentary(status);
}

/** Judges that no wait for a recording is needed. */
export function judgeReady(exchange: Exchange): Judgement {
  const isWaiting = mayBeNotReady(exchange);
  const status = exchange.response?.status ?? 0;
  if (!isWaiting && status !== 200) return nothingSeen("No replay was answered with 200.");
  return judgeStatus(!isWaiting, "200, because the session has ended", status);
}

/** Returns the statuses of all reads of the same replay, each once, in their order. */
function listStatuses({ plan }: Exchange, run: Exchanges): number[] {
  const reads = [...(run?.values() ?? [])].filter(
    (other) => isAnswerTo("session_replay", other) && other.expects === "success" && other.plan.path === plan.path,
  );
  return [...new Set(reads.flatMap(({ response }) => response?.status ?? []))];
}

const advice =
  "Has the session ended, less than 24 hours ago (--ended-session-id), and may this API key read its recording? Is the recording ready?";

/**
 * Judges the status of a replay. The interface shows no errors of a replay, and recordings are deleted after 24 hours: one that never comes
 * is neither a fault nor a proof, whatever its status. Without an ended session it may be absent.
 *
 * Source: interface § Errors, § Limits.
 */
export function judgeReplayStatus(exchange: Exchange, hasEndedSession: boolean, run: Exchanges): Judgement {
  const { response } = exchange;
  const isSuccess = succeeded(exchange) && hasReplay(exchange);
  if (!response || response.status === 200 || isSuccess) return judgeAccepted(exchange);
  if (findUnserved(exchange) !== undefined) return nothingSeen(unserved);
  const { status } = response;
  if (!hasEndedSession)
    return nothingSeen(`The target answered ${status}, and no ended session was given (--ended-session-id).`);
  const statuses = [...new Set([status, ...listStatuses(exchange, run)])];
  return statuses.includes(200)
    ? nothingSeen(`The target answered ${status}, and 200 to another read of the same replay.`)
    : inError(`The replay of the session never came: the target answered ${statuses.join(", ")}. ${advice}`);
}
