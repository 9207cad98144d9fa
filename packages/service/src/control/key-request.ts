import type { KeyChange, KeyQuota, KeyRecord, KeyRole } from "../storage/key-store.ts";
import { noQuota } from "../keys/keys.ts";
import { compileValidator } from "./control-schemas.ts";
import { toFaults, type Fault } from "./validation-faults.ts";

/** The request for a new key. */
interface CreateKey {
  readonly name: string;
  readonly roles?: readonly KeyRole[];
  readonly quota?: Partial<KeyQuota>;
  readonly expires_at?: string | null;
}

/** The request that changes a key. */
type ChangeKey = Omit<CreateKey, "name">;

/** The request that replaces a key. */
interface RotateKey {
  readonly overlap_s?: number;
}

/** Fault of a request. */
export interface RequestFaults {
  readonly faults: readonly Fault[];
}

const validateNew = compileValidator<CreateKey>("CreateKey");
const validateChange = compileValidator<ChangeKey>("ChangeKey");
const validateRotation = compileValidator<RotateKey>("RotateKey");

/** How long a key that was replaced is good beside its successor when nobody says otherwise, in seconds. */
const defaultOverlapS = 0;

/** Reads the request for a new key from a body, or returns all faults in it. */
export function readNewKey(
  body: unknown,
  nowMs: number,
): { readonly key: Pick<KeyRecord, "name" | "roles" | "quota" | "expires_ms"> } | RequestFaults {
  if (!validateNew(body)) return { faults: toFaults(validateNew.errors ?? []) };
  const { name, roles = ["use"], quota = {}, expires_at } = body;
  const expiry = readExpiry(expires_at ?? null, nowMs);
  if ("faults" in expiry) return expiry;
  return { key: { name, roles: [...new Set(roles)], quota: { ...noQuota, ...quota }, ...expiry } };
}

/** Reads what is to be changed of a key from a body, or returns all faults in it. */
export function readKeyChange(body: unknown, nowMs: number): { readonly change: KeyChange } | RequestFaults {
  if (!validateChange(body)) return { faults: toFaults(validateChange.errors ?? []) };
  const { roles, quota, expires_at } = body;
  const change = { ...(roles && { roles: [...new Set(roles)] }), ...(quota && { quota }) };
  if (expires_at === undefined) return { change };
  const expiry = readExpiry(expires_at, nowMs);
  return "faults" in expiry ? expiry : { change: { ...change, ...expiry } };
}

/** Reads how a key is to be replaced from a body, or returns all faults in it. */
export function readRotation(body: unknown): { readonly overlapMs: number } | RequestFaults {
  if (!validateRotation(body)) return { faults: toFaults(validateRotation.errors ?? []) };
  return { overlapMs: (body.overlap_s ?? defaultOverlapS) * 1000 };
}

function readExpiry(expires_at: string | null, nowMs: number): Pick<KeyRecord, "expires_ms"> | RequestFaults {
  if (expires_at === null) return { expires_ms: null };
  const expires_ms = Date.parse(expires_at);
  if (expires_ms > nowMs) return { expires_ms };
  const msg = Number.isNaN(expires_ms)
    ? "Input should be a time of ISO 8601, such as 2030-01-31T12:00:00Z"
    : "Input should be a time that is still to come";
  return { faults: [{ loc: ["body", "expires_at"], msg, type: "value_error", input: expires_at }] };
}
