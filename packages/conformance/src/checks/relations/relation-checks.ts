import type { CheckGroup } from "../check-group.ts";
import { nothingSeen, type Check } from "../check.ts";
import { findFailingOption, listProbesOfChecks } from "./single-option-checks.ts";
import { pageAddressChecks } from "./addresses.ts";
import { exclusionChecks } from "./exclusions.ts";
import { judgeScraped } from "../scrape/open-refusals.ts";
import { isRelation, relationIds, relationProbes } from "./option-rows.ts";
import { sameAnswerChecks } from "./same-answers.ts";
import { makeCheck } from "../make-check.ts";

const plainStatus = ["page/scrape-status-200"];

const statusCheck = makeCheck(
  "relations/status-200",
  relationIds,
  (exchange, target, run) => {
    if (exchange.response?.status === 200) return { assertions: 1, findings: [] };
    const failing = findFailingOption(plainStatus, target, run);
    return failing === undefined ? judgeScraped(exchange, run) : nothingSeen(`It fails alone: ${failing}.`);
  },
  { appliesTo: ({ id }) => isRelation(id), consults: listProbesOfChecks(plainStatus) },
);

/** Every check that compares scrapes of one page, or holds one option to all others, in the order of the report. */
export const relationChecks: readonly Check[] = [
  statusCheck,
  ...exclusionChecks,
  ...sameAnswerChecks,
  ...pageAddressChecks,
];

/** Checks that compare scrapes of one page. */
export const relationsGroup: CheckGroup = { checks: relationChecks, probes: () => ({ further: relationProbes }) };
