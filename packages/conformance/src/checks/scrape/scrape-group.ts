import type { CheckGroup } from "../check-group.ts";
import { scrapeRequestChecks, scrapeRequestProbes } from "./request.ts";
import {
  scrapeExampleProbes,
  scrapeResponseChecks,
  structuredChecks,
  validationErrorChecks,
  validationErrorProbes,
} from "./response.ts";

/** Checks of scrapes: of requests, responses and validation errors. */
export const scrapeGroup: CheckGroup = {
  checks: [...scrapeRequestChecks, ...scrapeResponseChecks, ...structuredChecks, ...validationErrorChecks],
  probes: (seed) => ({ plain: [...scrapeRequestProbes(seed), ...scrapeExampleProbes, ...validationErrorProbes] }),
};
