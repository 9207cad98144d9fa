import type { KeyQuota, KeyRecord, KeyRole } from "../storage/key-store.ts";
import { validatorOf } from "./control-schemas.ts";
import { faultsOf, type Fault } from "./validation-faults.ts";

/** The request for a new key. */
interface CreateKey {
  readonly name: string;
  readonly roles?: readonly KeyRole[];
  readonly quota?: Partial<KeyQuota>;
}

const validate = validatorOf<CreateKey>("CreateKey");

/** Reads the request for a new key from a body, or returns all faults in it. */
export function asNewKey(
  body: unknown,
): { readonly key: Pick<KeyRecord, "name" | "roles" | "quota"> } | { readonly faults: readonly Fault[] } {
  if (!validate(body)) return { faults: faultsOf(validate.errors ?? []) };
  const { name, roles = ["use"], quota: { sessions = null, runs = null, cost_usd_per_day = null } = {} } = body;
  return { key: { name, roles: [...new Set(roles)], quota: { sessions, runs, cost_usd_per_day } } };
}
