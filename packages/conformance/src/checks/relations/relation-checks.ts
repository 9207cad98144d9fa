import type { Check } from "../check.ts";
import { addressChecks } from "./addresses.ts";
import { exclusionChecks } from "./exclusions.ts";
import { sameAnswerChecks } from "./same-answers.ts";

/** Every check that compares scrapes of one page, or holds one option to all others, in the order of the report. */
export const relationChecks: readonly Check[] = [...exclusionChecks, ...sameAnswerChecks, ...addressChecks];
