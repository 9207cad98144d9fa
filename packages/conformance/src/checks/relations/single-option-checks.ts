import type { Target } from "../../target/target.ts";
import { applicableExchanges, sentFor, type Exchanges, type Judgement, nothingSeen } from "../check.ts";
import type { SentOptions } from "../scrape/sent-options.ts";
import { pageChecks } from "../pages/page-checks.ts";

const byId = new Map(pageChecks.map((check) => [check.id, check]));

/** The checks of each single option. */
const checksOfOption: Readonly<Record<string, readonly string[]>> = {
  selector: ["page/selector-limits-content"],
  scrape_links: ["page/scrape_links-true", "page/scrape_links-false"],
  scrape_images: ["page/scrape_images-true", "page/scrape_images-false"],
  ignored_tags: ["page/ignored_tags-are-ignored", "page/ignored_tags-are-left-out"],
  only_main_content: ["page/only_main_content-leaves-out-surroundings"],
  only_images: ["page/only_images-leaves-out-content"],
  use_link_placeholders: ["page/use_link_placeholders-replaces"],
};

/** Returns the checks of the single options that a scrape has. */
export function listChecksOfOptions(options: SentOptions): string[] {
  return Object.keys(options).flatMap((name) => checksOfOption[name] ?? []);
}

/** Returns the ids of the probes by which checks of single options are judged. */
export const listProbesOfChecks = (ids: readonly string[]): readonly string[] =>
  ids.flatMap((id) => {
    const check = byId.get(id);
    return check ? sentFor(check) : [];
  });

/** Ids of the probes by which all checks of single options are judged. */
export const singleOptionProbes: readonly string[] = listProbesOfChecks(Object.values(checksOfOption).flat());

/** Returns the check of a single option that fails on a run: its combinations with others show the same fault. */
export function findFailingOption(ids: readonly string[], target: Target, run: Exchanges): string | undefined {
  if (!run) return undefined;
  return ids.find((id) => {
    const check = byId.get(id);
    const exchanges = check ? applicableExchanges(check, run.values()) : [];
    return exchanges.some((exchange) => (check?.judge(exchange, target, run).findings.length ?? 0) > 0);
  });
}

/** Returns a judgement, unless it has findings that a check of a single option has as well. */
export function judgeUnlessAlone(
  judgement: Judgement,
  ids: readonly string[],
  target: Target,
  run: Exchanges,
): Judgement {
  const failing = judgement.findings.length === 0 ? undefined : findFailingOption(ids, target, run);
  return failing === undefined ? judgement : nothingSeen(`It fails alone: ${failing}.`);
}
