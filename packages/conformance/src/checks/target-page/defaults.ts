/** Rules on defaults that are written out, on the page of the target. */
import { scrapeFields } from "../../contract/request-fields.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Probe } from "../../http/probe.ts";
import { nothingSeen, verdict, type Judgement, type Exchanges } from "../check.ts";
import {
  findPageAnswer,
  findCommonAnswer,
  findDifference,
  listDifferences,
  findTargetPage,
  type PageAnswer,
  type TargetPage,
  type Kind,
  findFailingAlone,
  makePageRule,
  type PageRule,
} from "./target-page.ts";
import {
  nameAgain,
  findScrapeBefore,
  nameDefault,
  makeScrapeId,
  makeDefaultProbes,
  repeatedNames,
  pairsWithDefaults,
} from "./target-page-probes.ts";
import { singleRules } from "./combinations.ts";

const defaultIds = scrapeFields.map(({ name }) => nameDefault(name));

/** Checks of one option alone that explain a difference of each kind. */
const explanations: Readonly<Record<Kind, RegExp>> = {
  text: /^page\/(selector|ignored_tags|only_main_content|only_images)-/,
  links: /^page\/(scrape_links|use_link_placeholders)-/,
  images: /^page\/(scrape_images|only_images)-/,
  data: /^page\/structured-/,
};

/** Part of an answer that shows each kind. */
const places: Readonly<Record<Kind, string>> = {
  text: "body /markdown",
  links: "body /markdown",
  images: "body /images",
  data: "body /structured",
};

function judgeSame(one: PageAnswer, other: PageAnswer, option: string, run: Exchanges): Judgement {
  const [difference, ...more] = listDifferences(one, other);
  if (!difference) return { assertions: 1, findings: [] };
  const explaining = [difference, ...more].map(({ kind }) => explanations[kind]);
  const failing = findFailingAlone(
    singleRules.filter(({ check }) => explaining.some((pattern) => pattern.test(check))),
    run,
  );
  if (failing !== undefined) return nothingSeen(`A check of an option alone fails: ${failing}.`);
  return verdict(false, {
    where: places[difference.kind],
    expected: `the same ${difference.kind} as without \`${option}\`, since its default is written out`,
    received: `other ${difference.kind}: ${shorten(difference.second, difference.first)}`,
  });
}

/** Returns a text from a little before the place where another one begins to differ. */
function shorten(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return JSON.stringify(text.slice(Math.max(0, at - 40), at + 80));
}

/** Scrapes that show that an option has an effect on the page. */
const effects: Readonly<Record<string, string>> = {
  scrape_links: "links-off",
  scrape_images: "images-on",
  only_main_content: "main-content",
  only_images: "only-images",
  use_link_placeholders: "placeholders",
};

/** Returns whether an option can be seen on the page; one without a default but null is, on any page that shows text. */
function isShown(option: string, page: TargetPage): boolean {
  const effect = effects[option];
  const other = effect === undefined ? undefined : page.get(effect);
  return effect === undefined || (other !== undefined && findDifference(page.plain, other) !== undefined);
}

function judgeDefault(exchange: Exchange, run: Exchanges, option: string): Judgement {
  const own = findPageAnswer(exchange);
  const before = findScrapeBefore(exchange.id, option);
  const other = before === undefined ? findCommonAnswer(run, exchange.id) : findPageAnswer(run?.get(before));
  if (!own || !other) return nothingSeen("One of the two scrapes did not succeed.");
  if (option === "scrape_images" && own.options["only_images"] === true)
    return nothingSeen("What `only_images` without images gives is left open.");
  return judgeSame(other, own, option, run);
}

function makeDefaultRule(option: string, check: string): PageRule {
  const base = makePageRule(check, [`default-of-${option}`], () => nothingSeen(""));
  return {
    ...base,
    shownBy: [...base.shownBy, ...Object.values(effects).map(makeScrapeId), ...defaultIds, ...pairsWithDefaults.flat()],
    consults: singleRules.flatMap(({ scrapes, shownBy }) => scrapes.concat(shownBy)),
    covers: ({ id }) => findScrapeBefore(id, option) !== undefined,
    judge: (exchange, run) => {
      const page = findTargetPage(run);
      if ("reason" in page) return nothingSeen(page.reason);
      const judgement = judgeDefault(exchange, run, option);
      if (judgement.findings.length > 0 || isShown(option, page)) return judgement;
      return nothingSeen(`The page gives the same with another value of \`${option}\`, too.`);
    },
  };
}

/** Rule that the same request gives the same answer, while the page stays as it is. */
const sameRule: PageRule = makePageRule(
  "relations/same-request-same-answer",
  repeatedNames.map(nameAgain),
  (answer, page) => {
    const first = page.get(repeatedNames.find((name) => page.get(nameAgain(name)) === answer) ?? "");
    if (!first) return nothingSeen("The first scrape did not succeed.");
    const difference = findDifference(first, answer);
    return verdict(difference === undefined, {
      where: "body",
      expected: "the result of the same request before",
      received: `other ${difference?.kind}: ${shorten(difference?.second ?? "", difference?.first ?? "")}`,
    });
  },
  repeatedNames,
);

/** The rules. */
export const defaultRules: readonly PageRule[] = [
  sameRule,
  ...scrapeFields.map(({ name, default: value }) =>
    value === null
      ? makeDefaultRule(name, "relations/null-says-nothing")
      : makeDefaultRule(name, `relations/${name}-default`),
  ),
];

/** Makes the scrapes that show which default changes a response; none when no default does, or the page changes. */
export function isolatingTargetPageProbes(run: NonNullable<Exchanges>): Probe[] {
  if ("reason" in findTargetPage(run)) return [];
  const changed = pairsWithDefaults.filter(([before, after]) => {
    const [one, other] = [findPageAnswer(run.get(before)), findPageAnswer(run.get(after))];
    return one && other && findDifference(one, other) !== undefined;
  });
  return makeDefaultProbes(changed.map(([before]) => before));
}
