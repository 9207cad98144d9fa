import type { Context, Handler, Hono } from "hono";
import type { Logger } from "pino";
import { viewRun } from "../control/run-view.ts";
import { compileValidator } from "../control/control-schemas.ts";
import { toFaults, type Fault } from "../control/validation-faults.ts";
import { readGivenFiles, type GivenFileParts } from "./files/given-files.ts";
import type { Quotas } from "../keys/quotas.ts";
import type { ProfileRequest, Profiles } from "../profiles/profiles.ts";
import type { Assignment, RunPermit, StartedRun } from "../runs/run-options.ts";
import type { Runs } from "../runs/runs.ts";
import { findServiceError } from "../service-error.ts";
import { type QueueLimits, chooseWait } from "../sessions/queue/queue-limits.ts";
import { parseJsonBody, readBytes } from "./json-body.ts";
import { buildAutomationPath, type OwnWords } from "./own-words.ts";
import type { Placement } from "./nodes/placement.ts";
import { refuse } from "./authentication.ts";
import { answerError } from "./problems.ts";

/** Parts that starting a run needs. */
export interface RunStartParts {
  /** The runs. */
  readonly runs: Runs;
  /** The quotas of keys. */
  readonly quotas: Quotas;
  /** Chooses where runs are performed. */
  readonly placement: Placement;
  /** Limits of the queue for sessions, in which runs wait for theirs. */
  readonly queueLimits: QueueLimits;
  /** Profiles that sessions of runs begin with. */
  readonly profiles: Pick<Profiles, "check">;
  /** Gets what goes wrong once a run has begun. */
  readonly log: Logger;
}

/** Parts that the automation endpoint needs. */
export interface AutomationParts extends RunStartParts, GivenFileParts {
  /** Returns the worker of one task, with its cost limit in US dollars: the agent when there is a model, otherwise the planner. */
  readonly newWorker: (budgetUsd?: string) => Assignment["worker"];
  /** Name of the endpoint beside its neutral one. Default: nothing else. */
  readonly words?: OwnWords | undefined;
}

/** The automation endpoint, by its own name and by the neutral one. Source: interface § Endpoints, § Errors. */
export function addAutomationRoutes(app: Hono, parts: AutomationParts): void {
  const start: Handler = async (c) => {
    const body = await readBytes(c.req.raw);
    if ("tooLarge" in body) return c.json({ error: `the body is larger than ${body.tooLarge} bytes` }, 413);
    const json = parseJsonBody(body);
    if ("fault" in json) return c.json({ error: "the body is not valid JSON" }, 400);
    const task = findQuery(json.value);
    if (task === undefined) return c.json({ error: "query is missing: give the task as a string" }, 400);
    const choice = findProfile(json.value);
    if ("faults" in choice) return c.json({ error: choice.faults.map(describeFaults).join("; ") }, 400);
    const { profile } = choice;
    const attachments = await readGivenFiles(json.value, c.get("holder").name, parts);
    if ("faults" in attachments) return c.json({ error: attachments.faults.map(describeFaults).join("; ") }, 400);
    const { files } = attachments;
    const assign: Assign = (budgetUsd) => ({ worker: parts.newWorker(budgetUsd), task, files, makesFunction: true });
    // Every node knows the neutral name, whatever its own.
    return answerRunStart(parts, c, body, assign, { url: new URL(buildAutomationPath(), c.req.url).href, profile });
  };
  for (const path of new Set([buildAutomationPath(), buildAutomationPath(parts.words)])) app.post(path, start);
}

/** Makes the assignment of a run, within its cost limit in US dollars. */
type Assign = (budgetUsd: string | undefined) => Omit<Assignment, "key" | "isDetached" | "profile">;

/** Headers of an answer that is a stream of events. */
export const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Response header with the id of the run that a request has started. */
const runIdHeader = "x-service-run-id";

/** Preferences of a client (RFC 7240, 4.1 and 4.3): to get the record of the run at once, and the seconds it waits for the run to begin. */
const respondAsync = /(?:^|,)\s*respond-async\s*(?:[;,]|$)/i;
const waitSeconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i;

/**
 * Starts a run of the key of a request, on this node or on one that has room, and answers with its events; with 502 when it can't be
 * started. A client that prefers `respond-async` is answered with the run, which then continues whether or not its events are read; one
 * that prefers `wait=N` waits up to N seconds for a free slot, and no longer than the limit of the service.
 *
 * Source: interface § Endpoints, § Errors; the preferences are ours.
 *
 * @param elsewhere - Where another node is asked (default: where this one was), and the profile that is asked for.
 */
export async function answerRunStart(
  { runs, quotas, placement, queueLimits, profiles, log }: RunStartParts,
  c: Context,
  body: Uint8Array<ArrayBuffer>,
  assign: Assign,
  { url = c.req.url, profile }: { readonly url?: string; readonly profile?: ProfileRequest | undefined } = {},
): Promise<Response> {
  const holder = c.get("holder");
  const { name: key } = holder;
  const refusal = profile && (await findRefusal(profiles.check(profile, key)));
  if (refusal) return refuse(c.req.path, refusal.status, refusal.why);
  const request = c.req.raw;
  const prefer = c.req.header("prefer") ?? "";
  const isDetached = respondAsync.test(prefer);
  const [, seconds] = waitSeconds.exec(prefer) ?? [];
  // A preference may be followed in part.
  const waitMs = chooseWait({ wait_s: Math.min(Number(seconds ?? 0), queueLimits.waitMs / 1_000) }, queueLimits);
  const preferences = [isDetached ? "respond-async" : [], seconds === undefined ? [] : `wait=${waitMs / 1_000}`].flat();
  const headers = preferences.length === 0 ? {} : { "preference-applied": preferences.join(", ") };
  // From then on no other node is asked for the run: it may have begun here, or its key may have no more.
  let hadSlots = false;
  const start = async (slots: RunPermit): Promise<Response> => {
    hadSlots = true;
    let run: StartedRun | undefined;
    const starting = quotas.run(holder, async (budgetUsd) => {
      run = await runs.start({ ...assign(budgetUsd), profile, key, isDetached }, slots);
      return run;
    });
    const { id, body: events } = await starting.catch((error: unknown) => {
      if (run) {
        log.warn({ err: error, run: run.id }, "a run has started, but the lock on the quota of its key was lost");
        return run;
      }
      slots.release();
      throw error;
    });
    const runHeaders = { ...headers, [runIdHeader]: id };
    if (!isDetached) return new Response(events, { headers: { ...streamHeaders, ...runHeaders } });
    // Cancelled: the client disconnected before it learned the id of the run.
    if (request.signal.aborted) runs.cancel(id, "reader_gone");
    const record = await runs.findRecord(id, key);
    return Response.json(record && viewRun(record), {
      status: 202,
      headers: { ...runHeaders, location: `/control/runs/${id}` },
    });
  };
  try {
    if (!placement.isFromNode(request)) await quotas.requireRun(holder);
    const countLimit = (): Promise<number> => quotas.countSessions(holder);
    const sessionRequest = { request, url, body, key, keyLimit: countLimit, waitMs };
    return await placement.answerRun(sessionRequest, (limit) => runs.reserve(key, limit), start);
  } catch (thrown) {
    const error = findServiceError(thrown);
    if (error === undefined) throw thrown;
    // A node that asks wants to know whether another one may be asked.
    const nodeAnswer = !hadSlots && placement.isFromNode(request) ? answerError(error) : undefined;
    return nodeAnswer ?? Response.json({ error: `the agent failed to start: ${error.message}` }, { status: 502 });
  }
}

const validateProfile = compileValidator<ProfileRequest>("UseProfile");

/** Reads the profile that a body asks for, or returns what is wrong with it. */
export function findProfile(
  body: unknown,
): { readonly profile: ProfileRequest | undefined } | { readonly faults: readonly Fault[] } {
  const profile: unknown = typeof body === "object" && body !== null && "profile" in body ? body.profile : undefined;
  if (profile === undefined || validateProfile(profile)) return { profile };
  const faults = toFaults(validateProfile.errors ?? []);
  return { faults: faults.map(({ loc, msg, type }) => ({ loc: ["body", "profile", ...loc.slice(1)], msg, type })) };
}

function describeFaults({ loc, msg }: Fault): string {
  return `${loc.slice(1).join(".")}: ${msg}`;
}

/** Returns how a request is refused for which a check fails; undefined when it passes. */
async function findRefusal(
  check: Promise<void>,
): Promise<{ readonly status: number; readonly why: string } | undefined> {
  try {
    await check;
    return undefined;
  } catch (thrown) {
    const error = findServiceError(thrown);
    const answer = answerError(thrown);
    if (!error || !answer) throw thrown;
    return { status: answer.status, why: error.message };
  }
}

function findQuery(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("query" in body)) return undefined;
  return typeof body.query === "string" && body.query.trim() !== "" ? body.query : undefined;
}
