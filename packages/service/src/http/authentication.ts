import type { Clock } from "@cloud-browser/recorder";
import { createHash, timingSafeEqual } from "node:crypto";
import { type KeyHolder, type Keys, mainKey, noQuota } from "../keys/keys.ts";
import type { WrongKeys } from "../keys/wrong-keys.ts";
import { requestContext } from "../request-context.ts";
import { keyRoles, type KeyRole } from "../storage/key-store.ts";
import { answerProblem } from "./problems.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Holder of the API key of the request; set on all paths that require a key. */
    holder: KeyHolder;
  }
}

/** Returns the holder of the key of a request; undefined without a valid key. */
export type KeyGuard = (request: Request) => Promise<KeyHolder | undefined>;

/**
 * Reads the key of requests: `Authorization: Bearer <key>`. The context of a request with a right one has its name from then on.
 *
 * Source: interface § Authentication.
 *
 * @param apiKey - The key that the service was started with, which has all roles. A secret.
 * @param keys - All other keys.
 * @param clock - Clock by which keys expire.
 */
export function makeKeyGuard(apiKey: string, keys: Pick<Keys, "find">, clock: Pick<Clock, "now">): KeyGuard {
  const right = digest(apiKey);
  function isRight(token: string | undefined): boolean {
    return token !== undefined && timingSafeEqual(digest(token), right);
  }
  async function findHolder(request: Request): Promise<KeyHolder | undefined> {
    const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (isRight(token)) return { name: null, roles: keyRoles, quota: noQuota };
    return token === undefined ? undefined : keys.find(token, clock.now());
  }
  return async (request) => {
    const holder = await findHolder(request);
    if (holder) requestContext().key = holder.name ?? mainKey;
    return holder;
  };
}

/** A request whose key was judged. */
export interface JudgedRequest {
  /** Path of its address. */
  readonly path: string;
  /** Header `authorization`; undefined without one. */
  readonly authorization: string | undefined;
  /** Address of its client; undefined for a request that did not come over a connection. */
  readonly remote: string | undefined;
}

/** Counts the wrong key of a request, whichever part judged it. Returns the answer to it: that part's, or 429 beyond the limit of its address. */
export async function countWrongKey(
  wrongKeys: Pick<WrongKeys, "count">,
  { path, authorization, remote }: JudgedRequest,
  answer: Response,
): Promise<Response> {
  const isWrong = answer.status === 401 && authorization !== undefined && requestContext().key === undefined;
  const waitS = isWrong ? await wrongKeys.count(remote ?? "") : undefined;
  if (waitS === undefined) return answer;
  await answer.body?.cancel();
  const why = "too many wrong API keys from this address; a right one is still taken";
  return refuse(path, 429, why, { "retry-after": String(waitS) });
}

/** Returns the answer to a request without a valid key. Source: interface § Authentication, § Errors. */
export function answerToStranger(path: string): Response {
  const why = "the API key is missing or invalid: send it as Authorization: Bearer <key>";
  return refuse(path, 401, why, { "www-authenticate": "Bearer" });
}

/** Returns a refusal in the form of the endpoint: that of automations has an `error`, all others have a `detail`. */
export function refuse(path: string, status: number, why: string, headers: Record<string, string> = {}): Response {
  if (path.startsWith("/api/")) return Response.json({ error: why }, { status, headers });
  return answerProblem(status, why, headers);
}

/** Paths that `operate` lists, reads and ends. */
const operated: readonly { readonly methods: RegExp; readonly path: RegExp }[] = [
  { methods: /^(?:GET|HEAD|DELETE)$/, path: /^\/control\/sessions(?:\/[^/]+)?\/?$/ },
  { methods: /^DELETE$/, path: /^\/control\/sessions\/[^/]+\/recording$/ },
  { methods: /^(?:GET|HEAD)$/, path: /^\/control\/handovers\/?$/ },
  { methods: /^(?:GET|HEAD)$/, path: /^\/control\/runs(?:\/[^/]+)?\/?$/ },
  { methods: /^POST$/, path: /^\/control\/runs\/[^/]+\/cancel$/ },
  { methods: /^(?:GET|HEAD|DELETE)$/, path: /^\/control\/profiles(?:\/[^/]+)?\/?$/ },
];

/** Returns the roles of which a request needs one. */
export function listRoles(method: string, path: string): readonly KeyRole[] {
  if (path === "/metrics") return ["metrics"];
  if (/^\/control\/keys(?:\/|$)/.test(path)) return ["control"];
  if (/^\/control\/records\/?$/.test(path)) return ["operate"];
  if (method === "POST" && /^\/control\/profiles\/reencrypt\/?$/.test(path)) return ["operate"];
  return operated.some((row) => row.methods.test(method) && row.path.test(path)) ? ["use", "operate"] : ["use"];
}

/** Hashes a credential, so that credentials of any length are compared in constant time. */
export function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
