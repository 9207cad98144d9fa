import type { components } from "@cloud-browser/spec/control-types";
import { control, unwrap } from "../api/control.ts";

/** Lists the profiles of this key. @throws {ControlError} with the status 501 where the service has no key to encrypt them. */
export async function listProfiles(signal: AbortSignal): Promise<readonly components["schemas"]["Profile"][]> {
  return (await unwrap(control.GET("/control/profiles", { signal }))).profiles;
}
