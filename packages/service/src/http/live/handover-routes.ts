import type { Context, Hono } from "hono";
import { compileValidator } from "../../control/control-schemas.ts";
import { viewHandover } from "../../control/handover-view.ts";
import { toFaults } from "../../control/validation-faults.ts";
import type { Handovers } from "../../handovers/handovers.ts";
import { mainKey } from "../../keys/keys.ts";
import { requestContext } from "../../request-context.ts";
import type { TokenScope } from "../../sessions/made-tokens.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { Keys } from "../../keys/keys.ts";
import type { HandoverStore } from "../../storage/handover-store.ts";
import { answerWhenReady } from "../held-answer.ts";
import { requireJson } from "../json-body.ts";
import { readListedKey } from "../key-scope.ts";
import { answerInvalid, answerProblem } from "../problems.ts";
import type { Access, SessionAccess } from "./session-access.ts";

/** Parts that the routes of hand-overs need. */
export interface HandoverRouteParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Tells who may use a session. */
  readonly accessOf: SessionAccess;
  /** Requests for a person. */
  readonly handovers: Handovers;
  /** The requests of all nodes. */
  readonly handoverRecords: Pick<HandoverStore, "list" | "countOpen">;
  /** The API keys. */
  readonly keys: Keys;
}

/** Body of a request for a person. */
interface AskPerson {
  readonly message: string;
  readonly deadline_s?: number;
  readonly wait_s?: number;
}

/** Body of an answer. */
interface AnswerHandover {
  readonly answer: "done" | "declined";
  readonly note?: string;
}

/** Deadline of a request that names none, in seconds. */
const defaultDeadlineS = 600;
/** Longest time for which one response waits, in seconds; longest key of a request, in characters; most requests in a list. */
const most = { waitS: 3_600, keyCharacters: 255, listed: 1_000 } as const;

/** Paths that check credentials themselves. */
export const handoverPaths = /^\/control\/sessions\/[^/]+\/handover(?:s(?:\/[^/]+(?:\/answer)?)?)?\/?$/;

const validateQuestion = compileValidator<AskPerson>("AskPerson");
const validateAnswer = compileValidator<AnswerHandover>("AnswerHandover");
const path = "/control/sessions/:session_id";

/** How a program asks for a person, and gets one answer; and how a person sees and answers what is asked. */
export function addHandoverRoutes(app: Hono, parts: HandoverRouteParts): void {
  const { sessions, accessOf, handovers, handoverRecords } = parts;

  app.post(`${path}/handover`, async (c) => {
    const access = await findAccess(c, ["drive"]);
    if (access instanceof Response) return access;
    const body = await readBody(c.req.raw, validateQuestion);
    if (body instanceof Response) return body;
    const { message, deadline_s = defaultDeadlineS, wait_s = 0 } = body;
    const idempotencyKey = c.req.header("idempotency-key") ?? null;
    if (idempotencyKey !== null && !/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
      return answerProblem(400, `Idempotency-Key has to be 1 to ${most.keyCharacters} characters of printable ASCII`);
    const session = await sessions.get(c.req.param("session_id"), access.key);
    session.touch();
    const question = { message, deadlineMs: deadline_s * 1_000, by: "program", idempotencyKey } as const;
    const request = await handovers.ask(session, question);
    const location = `/control/sessions/${session.id}/handovers/${request.handover_id}`;
    if (request.answer !== null || wait_s === 0)
      return c.json(viewHandover(request), 201, { location, "cache-control": "no-store" });
    return answerWhenReady(201, { location }, async (signal) =>
      viewHandover(await handovers.wait(session.id, request.handover_id, wait_s * 1_000, signal)),
    );
  });

  app.get(`${path}/handovers`, async (c) => {
    const access = await findAccess(c, ["drive", "steer"]);
    if (access instanceof Response) return access;
    const { session_id: sessionId } = await sessions.getRecord(c.req.param("session_id"), access.key);
    const scope = await handoverRecords.list(most.listed, { sessionId });
    return c.json({ handovers: scope.map(viewHandover) }, 200, { "cache-control": "no-store" });
  });

  app.get(`${path}/handovers/:handover_id`, async (c) => {
    const access = await findAccess(c, ["drive", "steer"]);
    if (access instanceof Response) return access;
    const waitS = Number(c.req.query("wait_s") ?? 0);
    if (!(waitS >= 0 && waitS <= most.waitS)) {
      const msg = `Input should be a number from 0 to ${most.waitS}`;
      return answerInvalid([{ loc: ["query", "wait_s"], msg, type: "number_parsing" }]);
    }
    const { session_id: sessionId } = await sessions.getRecord(c.req.param("session_id"), access.key);
    const record = await handovers.get(sessionId, c.req.param("handover_id"));
    if (record.answer !== null || waitS === 0)
      return c.json(viewHandover(record), 200, { "cache-control": "no-store" });
    return answerWhenReady(200, {}, async (signal) =>
      viewHandover(await handovers.wait(sessionId, record.handover_id, waitS * 1_000, signal)),
    );
  });

  app.post(`${path}/handovers/:handover_id/answer`, async (c) => {
    const access = await findAccess(c, ["steer"]);
    if (access instanceof Response) return access;
    const body = await readBody(c.req.raw, validateAnswer);
    if (body instanceof Response) return body;
    const { session_id: sessionId } = await sessions.getRecord(c.req.param("session_id"), access.key);
    const { answer, note = null } = body;
    return c.json(viewHandover(await handovers.answer(sessionId, c.req.param("handover_id"), answer, note)));
  });

  app.get("/control/handovers", async (c) => {
    const limit = Number(c.req.query("limit") ?? 100);
    if (!Number.isInteger(limit) || limit < 1 || limit > most.listed) {
      const msg = `Input should be an integer from 1 to ${most.listed}`;
      return answerInvalid([{ loc: ["query", "limit"], msg, type: "int_parsing" }]);
    }
    const state = c.req.query("state");
    if (state !== undefined && state !== "open" && state !== "answered") {
      return answerInvalid([{ loc: ["query", "state"], msg: "Input should be 'open' or 'answered'", type: "enum" }]);
    }
    const scope = await readListedKey(c, parts.keys);
    if (scope instanceof Response) return scope;
    const [records, open] = await Promise.all([
      handoverRecords.list(limit, { ...scope, state }),
      handoverRecords.countOpen(scope.key),
    ]);
    return c.json({ open, handovers: records.map(viewHandover) });
  });

  /** Returns by what right a request uses a session, or its refusal. */
  async function findAccess(c: Context, scopes: readonly TokenScope[]): Promise<Access | Response> {
    const access = await accessOf(c.req.param("session_id") ?? "", c.req.query("token"), c.req.raw, scopes);
    if (access?.key !== undefined) requestContext().key = access.key ?? mainKey;
    const allowed = scopes.join(" or ");
    const why = `the token or the API key is missing or invalid: use a token of the scope ${allowed}, or the API key that created the session`;
    return access ?? answerProblem(401, why, { "www-authenticate": "Bearer" });
  }
}

async function readBody<Body>(
  request: Request,
  validate: ReturnType<typeof compileValidator<Body>>,
): Promise<Body | Response> {
  const json = await requireJson(request);
  if (json instanceof Response) return json;
  const { value } = json;
  return validate(value) ? value : answerInvalid(toFaults(validate.errors ?? []));
}
