import type { CheckGroup } from "../check-group.ts";
import { scrapeRequestChecks, scrapeRequestProbes } from "./request.ts";
import { scrapeExampleProbes, scrapeResponseChecks } from "./response.ts";
import { structuredChecks } from "./structured.ts";
import { validationErrorChecks, validationErrorProbes } from "./validation-error.ts";

/** Checks of scrapes: of requests, responses and validation errors. */
export const scrapeGroup: CheckGroup = {
  checks: [...scrapeRequestChecks, ...scrapeResponseChecks, ...structuredChecks, ...validationErrorChecks],
  probes: (seed) => ({ plain: [...scrapeRequestProbes(seed), ...scrapeExampleProbes, ...validationErrorProbes] }),
};
