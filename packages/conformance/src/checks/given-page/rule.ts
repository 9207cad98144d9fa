import type { Exchange } from "../../http/exchange.ts";
import { notAbout, nothingSeen, type Judgement, type Run } from "../check.ts";
import { answerIn, givenPage, type GivenScrape, type GivenPage } from "./given-page.ts";
import { givenId, plainIds } from "./given-probes.ts";

/** A rule of a check, applied to the page that the given open session is on. */
export interface GivenRule {
  /** Id of the check. */
  readonly check: string;
  /** Ids of the scrapes that are judged. */
  readonly judged: readonly string[];
  /** Ids of the scrapes that show what the page has. */
  readonly shownBy: readonly string[];
  /** Ids of other scrapes that its judge looks up. Default: none but those that each rule looks at. */
  readonly consults?: readonly string[];
  /** Returns whether it judges a scrape that was generated during the run. */
  readonly covers?: (exchange: Exchange) => boolean;
  readonly judge: (exchange: Exchange, run: Run) => Judgement;
}

/** A rule on one scrape of a page that stayed as it was. */
export interface PageRule {
  readonly check: string;
  /** Names of the scrapes that are judged. */
  readonly of: readonly string[];
  /** Names of other scrapes that it consults. Default: only the plain ones. */
  readonly beside?: readonly string[];
  readonly judge: (answer: GivenScrape, page: GivenPage) => Judgement;
}

/** Makes a rule from one that needs to know the page: it judges nothing on a page that changes. */
export function onPage({ check, of, beside = [], judge }: PageRule): GivenRule {
  return {
    check,
    judged: of.map(givenId),
    shownBy: [...plainIds, ...beside.map(givenId)],
    judge: (exchange, run) => {
      const page = givenPage(run);
      if ("reason" in page) return nothingSeen(page.reason);
      const answer = answerIn(exchange);
      return answer
        ? judge(answer, page)
        : nothingSeen("The scrape did not succeed, or is longer than the suite parses.");
    },
  };
}

/** Judges an exchange by a rule, where the rule is about it. */
export function judgeBy(rule: GivenRule, exchange: Exchange, run: Run): Judgement {
  const isJudged = rule.judged.includes(exchange.id) || rule.covers?.(exchange) === true;
  return isJudged ? rule.judge(exchange, run) : notAbout("It shows what the page has, and is judged by others.");
}

/** Returns the check of a single option whose rule fails on a run: combinations show the same fault. */
export function failingAlone(rules: readonly GivenRule[], run: Run): string | undefined {
  const fails = ({ judged, judge }: GivenRule): boolean =>
    judged.some((id) => {
      const exchange = run?.get(id);
      return exchange !== undefined && judge(exchange, run).findings.length > 0;
    });
  return rules.find(fails)?.check;
}
