import type { Probe } from "../../http/probe.ts";
import { holdsKeyElsewhere, type Credentials } from "../../http/credentials.ts";
import type { Operation } from "../../contract/contract.ts";
import { formatSessionPath, type RequestPlan } from "../../http/request-plan.ts";
import type { Target } from "../../target/target.ts";
import type { Repetition } from "../repetitions.ts";
import { scrapePath, defaultOptions } from "../scrape/scrape-probe.ts";

/** An operation that requires authentication, and the request that succeeds with valid credentials. */
export interface ProtectedOperation {
  /** First part of the ids of its probes and checks. */
  readonly word: string;
  /** The operation. */
  readonly operation: Operation;
  /** Requirement that it takes credentials. */
  readonly requirement: string;
  /** Makes the request without its credentials. */
  readonly request: (target: Target) => Omit<RequestPlan, "credentials">;
  /** Body that starts nothing billed, because what is required is missing. Default: the body of {@link request} starts nothing either. */
  readonly harmlessBody?: string;
  /** Makes a body, headers and a path that a valid request may have in addition. Default: the operation takes no body. */
  readonly richer?: (target: Target, text: string) => Pick<RequestPlan, "body" | "headers" | "path">;
}

const utf8 = { "content-type": "application/json; charset=utf-8" };

/** The session-scoped operations: no status is named for wrong credentials. Source: interface § Authentication. */
export const sessionOperations: readonly ProtectedOperation[] = [
  {
    word: "scrape",
    operation: "page_scrape",
    requirement: "scrape.requires-authentication",
    request: (target) => ({ method: "POST", path: scrapePath(target), body: "{}" }),
    richer: (target, instructions) => ({
      path: `${scrapePath(target)}?update_metadata=false`,
      headers: utf8,
      body: JSON.stringify({ ...defaultOptions, instructions }),
    }),
  },
  {
    word: "cookies",
    operation: "session_cookies",
    requirement: "cookies.requires-authentication",
    request: ({ sessionId }) => ({ method: "GET", path: formatSessionPath(sessionId, "cookies") }),
  },
  {
    word: "replay",
    operation: "session_replay",
    requirement: "replay.requires-authentication",
    request: ({ endedSessionId }) => ({ method: "GET", path: formatSessionPath(endedSessionId, "replay") }),
  },
];

/** The automation: wrong credentials are answered with 401. Source: interface § Authentication. */
export const automationOperation: ProtectedOperation = {
  word: "automation",
  operation: "automation_start",
  requirement: "automation.requires-authorization",
  request: ({ query }) => ({ method: "POST", path: "/api/automation/start", body: JSON.stringify({ query }) }),
  richer: (_, query) => ({ path: "/api/automation/start", headers: utf8, body: JSON.stringify({ query }) }),
  harmlessBody: "{}",
};

/**
 * Ids of automation requests that have neither a valid key nor a `query`: the key is missing, invalid, or under another scheme.
 *
 * Requests with the key in another place or scheme have no `query` either, so that no run starts if the target accepts the key. If it
 * did, it rejects the body, as it does with the key in its place. This is conclusive only when the requests listed here are rejected for
 * their key.
 */
export const bothWrong = [
  "without-key-and-without-query",
  "with-wrong-key-and-without-query",
  "credentials-authorization-token-wrong-and-without-query",
].map((name) => `${automationOperation.word}/${name}`);

/** Ids of the automation requests that show what an answer says about its key, and whether there is an automation at all. */
export const keyEvidence: readonly string[] = [...bothWrong, `${automationOperation.word}/without-query`];

/** Makes a request with credentials that do not authorize it. Its body starts no run where that is only assumed. */
export function makeUnauthorizedProbe(
  protectedOperation: ProtectedOperation,
  name: string,
  credentials: Exclude<Credentials, "key">,
  more: Pick<RequestPlan, "headers"> & {
    readonly sending?: Repetition["sending"];
    readonly richer?: string;
    readonly isHarmless?: boolean;
  } = {},
): Probe {
  const { sending, richer, isHarmless = holdsKeyElsewhere(credentials), ...parts } = more;
  const { harmlessBody } = protectedOperation;
  const isAboutKey = protectedOperation === automationOperation && holdsKeyElsewhere(credentials);
  return {
    id: `${protectedOperation.word}/${name}`,
    operation: protectedOperation.operation,
    needs: credentials === "none" ? [] : ["judges-keys"],
    expects: "refusal",
    ...(isAboutKey && { judgedAgainst: keyEvidence }),
    ...sending,
    request: (target) => ({
      ...protectedOperation.request(target),
      credentials,
      ...(harmlessBody !== undefined && isHarmless && { body: harmlessBody }),
      ...parts,
      ...(richer !== undefined && protectedOperation.richer?.(target, richer)),
    }),
  };
}
