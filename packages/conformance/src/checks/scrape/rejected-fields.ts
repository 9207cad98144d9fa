import { rejectedFields } from "../blamed-fields.ts";
import { nothingSeen, verdict, type Check } from "../check.ts";
import { isAnswerTo, type Exchange } from "../../http/exchange.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { findOpenRefusal } from "./open-refusals.ts";
import { everyOptionalHeader } from "./scrape-probe.ts";
import { readSentOptions } from "./sent-options.ts";

const metadata = "update_metadata";

/** Parts that a page scrape may have or lack, by the names that a 422 has for them. */
const parts: ReadonlySet<string> = new Set([
  ...scrapeFields.map(({ name }) => name),
  ...Object.keys(everyOptionalHeader),
  metadata,
]);

/** Returns whether a request has the part of that name. */
function has(exchange: Exchange, name: string): boolean {
  if (name === metadata) return new URL(exchange.url).searchParams.has(name);
  if (Object.hasOwn(everyOptionalHeader, name)) return exchange.plan.headers?.[name] !== undefined;
  return Object.hasOwn(readSentOptions(exchange) ?? {}, name);
}

/** Returns the fields that a 422 to a valid page scrape names although they are valid, or not required. */
export function listWronglyRejected(exchange: Exchange): string[] {
  if (exchange.expects !== "success") return [];
  return rejectedFields(exchange).filter((name) => parts.has(name));
}

/**
 * Extends a check to every valid page scrape that has a part, or lacks it: a 422 that names the part violates the check's requirement,
 * whatever the probe.
 *
 * @param isThere - True when the requirement is about requests that have the part; false for those that lack it.
 * @param requirement - Default: the first one of the check.
 */
export function coverRejections(check: Check, name: string, isThere: boolean, requirement?: string): Check {
  const sentFor = new Set(check.probes);
  const expected = isThere ? `200: \`${name}\` is valid` : `200 without \`${name}\``;
  const isAbout = (exchange: Exchange): boolean =>
    isAnswerTo("page_scrape", exchange) && exchange.expects === "success" && has(exchange, name) === isThere;
  return {
    ...check,
    appliesTo: (exchange) => isAbout(exchange) || (check.appliesTo?.(exchange) ?? false),
    judge: (exchange, target, run) => {
      if (
        isAbout(exchange) &&
        listWronglyRejected(exchange).includes(name) &&
        findOpenRefusal(exchange, run) === undefined
      )
        return verdict(false, { requirement, where: "status", expected, received: "422, with a `loc` that names it" });
      if (sentFor.has(exchange.id) || (check.appliesTo?.(exchange) ?? false)) return check.judge(exchange, target, run);
      return exchange.response?.status === 200
        ? { assertions: 1, findings: [] }
        : nothingSeen(`It did not succeed, for another reason than \`${name}\`.`);
    },
  };
}
