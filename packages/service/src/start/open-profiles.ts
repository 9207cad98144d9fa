import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import { Profiles } from "../profiles/profiles.ts";
import type { Storage } from "./open-storage.ts";
import type { ServiceSettings } from "./read-settings.ts";

/** Opens the profiles of a service, which are disabled where it has no key for them. Each write-back is counted and logged. */
export function openProfiles(
  { clock, profileCipher: cipher, profileLimits: limits, log }: ServiceSettings,
  { records }: Pick<Storage, "records">,
  metrics: ServiceMetrics,
): Profiles {
  return new Profiles({
    store: records.profiles,
    cipher,
    limits,
    clock,
    readQuota: async (key) => (await records.keys.list()).find(({ name }) => name === key)?.quota.profiles ?? null,
    onWriteBack: (session, { outcome }) => {
      metrics.countWriteBack(outcome === "saved");
      if (outcome === "saved") log.info({ session }, "the profile of a session was written back");
      else log.warn({ session }, "the profile of a session could not be written back; the session tells why");
    },
  });
}
