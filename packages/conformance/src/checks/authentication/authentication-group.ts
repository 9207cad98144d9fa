import type { CheckGroup } from "../check-group.ts";
import { authenticationChecks, authenticationProbes } from "./authentication.ts";
import { composedCredentialChecks } from "./composed-credentials.ts";
import { composedCredentialProbes } from "./credential-grammar.ts";
import { strangerChecks, strangerProbes } from "./strangers.ts";

/** Checks of the key: missing, wrong, cut, altered, composed, or a stranger's. */
export const authenticationGroup: CheckGroup = {
  checks: [...authenticationChecks, ...composedCredentialChecks, ...strangerChecks],
  probes: () => ({ further: [...authenticationProbes, ...composedCredentialProbes, ...strangerProbes] }),
};
