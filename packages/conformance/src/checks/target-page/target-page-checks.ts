import type { CheckGroup } from "../check-group.ts";
import { combine, type Check } from "../check.ts";
import { combinationRules, singleRules } from "./combinations.ts";
import { defaultRules } from "./defaults.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import {
  nameDefault,
  makeScrapeId,
  listTargetPageProbes,
  isOfTargetPage,
  plainAfterwardsId,
  plainIds,
} from "./target-page-probes.ts";
import { judgeBy, type PageRule } from "./target-page.ts";

const rulesByCheck: ReadonlyMap<string, readonly PageRule[]> = Map.groupBy(
  [...singleRules, ...combinationRules, ...defaultRules],
  ({ check }) => check,
);

/** Scrapes by which each rule knows the page: the plain ones, and each option with its default. */
const shownByDefaults: readonly string[] = [
  ...plainIds,
  plainAfterwardsId,
  ...scrapeFields.map(({ name }) => nameDefault(name)),
  ...["images-on", "only-images"].map(makeScrapeId),
];

/**
 * Extends a check of a known page to the page of the target, where its rule holds on any page that answers the
 * same twice. A relation that the page can't show is skipped there, never passed.
 */
export function withTargetPage(check: Check): Check {
  const rules = rulesByCheck.get(check.id);
  if (!rules) return check;
  const covers: Check["appliesTo"] = (exchange) =>
    isOfTargetPage(exchange)
      ? rules.some((rule) => rule.covers?.(exchange) === true)
      : check.appliesTo?.(exchange) === true;
  return {
    ...check,
    probes: [...new Set([...check.probes, ...rules.flatMap(({ scrapes, shownBy }) => [...scrapes, ...shownBy])])],
    consults: [...(check.consults ?? []), ...shownByDefaults, ...rules.flatMap(({ consults = [] }) => consults)],
    appliesTo: covers,
    judge(exchange, target, run) {
      if (!isOfTargetPage(exchange)) return check.judge(exchange, target, run);
      const judgements = rules.map((rule) => judgeBy(rule, exchange, run));
      const telling =
        judgements.find(({ assertions, isBeside }) => assertions === 0 && isBeside !== true) ?? judgements[0];
      const all = combine(judgements, telling?.reason ?? "");
      return all.assertions === 0 && telling?.isBeside === true ? { ...all, isBeside: true } : all;
    },
  };
}

/** Ids of the checks that also judge the page of the target. */
export const checksOnTargetPage: readonly string[] = [...rulesByCheck.keys()];

/** The checks of known pages on the page of the target. */
export const targetPageGroup: CheckGroup = {
  checks: [],
  probes: (seed) => ({ further: listTargetPageProbes(seed) }),
  extend: withTargetPage,
};
