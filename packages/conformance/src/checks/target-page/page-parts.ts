/** Rules on options that choose a part of the page of the target, or leave parts out. */
import { combine, nothingSeen, verdict, type Judgement } from "../check.ts";
import { isHtmlDocument } from "../pages/scrape.ts";
import {
  findDifference,
  hasMost,
  listWordsOfPart,
  type PageAnswer,
  type TargetPage,
  findFailingAlone,
  makePageRule,
  type PageRule,
  type PageJudge,
} from "./target-page.ts";
import { makeScrapeId, headingSchema } from "./target-page-probes.ts";
import { listWordsOnlyIn, listWordsOutside, type MarkupPlace } from "./markdown-content.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../http/json.ts";

const fits = new Ajv2020({ validateSchema: false }).compile(headingSchema);

/** Judges an answer where the page has the heading that the schema asks for. */
function onHeading(judge: (structured: unknown) => Judgement): PageJudge {
  return ({ scrape }, { plain }) =>
    listWordsOnlyIn(plain.content, "heading").length === 0
      ? nothingSeen("The page shows no heading that could be extracted.")
      : judge(scrape.structured);
}

const makeStructureRule = (check: string, judge: (structured: unknown) => Judgement): PageRule =>
  makePageRule(check, ["structured"], onHeading(judge), ["plain"]);

/** The rules. What an extraction finds is left open; that it follows the schema is not. */
export const structureRules: readonly PageRule[] = [
  makeStructureRule("page/structured-follows-schema", (structured) => {
    if (!isObject(structured) || (structured["success"] ?? true) !== true || (structured["data"] ?? null) === null)
      return nothingSeen("No extraction succeeded with data.");
    return verdict(fits(structured["data"]), {
      where: "body /structured/data",
      expected: "data that follows the schema in `response_format`, since the extraction succeeded",
      received: JSON.stringify(structured["data"]),
    });
  }),
  makeStructureRule("page/structured-has-data", (structured) => {
    if (!isObject(structured) || structured["success"] !== true)
      return nothingSeen("No extraction said by name that it succeeded.");
    return verdict((structured["data"] ?? null) !== null, {
      where: "body /structured/data",
      expected: "the extracted data, since the page has a heading and the extraction succeeded",
      received: "none",
    });
  }),
];

const markdown = "body /markdown";

/** Judges that most of some words are present, or that they are absent. */
function judgeMost(
  answer: PageAnswer,
  words: readonly string[] | undefined,
  isExpected: boolean,
  what: string,
): Judgement {
  const isThere = words && hasMost(words, answer);
  if (isThere === undefined) return nothingSeen(`The page does not show ${what}.`);
  return verdict(isThere === isExpected, {
    where: markdown,
    expected: `${isExpected ? "the text" : "nothing"} of ${what}`,
    received: `Markdown ${isExpected ? "without" : "with"} most of its words`,
  });
}

/** Share of the words from outside of a part above which an answer counts as the whole page. */
const wholeShare = 0.8;

/** Judges that a selector whose element the page is known to have returns less than the page. */
function judgeSelected(answer: PageAnswer, page: TargetPage, place: MarkupPlace, isShown: boolean): Judgement {
  if (!isShown) return nothingSeen(`The page shows no ${place}.`);
  const outside = listWordsOutside(page.plain.content, place);
  const isThere = hasMost(outside, answer, wholeShare);
  if (isThere === undefined) return nothingSeen(`The page shows too little text beside its ${place}s.`);
  return verdict(!isThere, {
    where: markdown,
    expected: `nothing from outside of the ${place} that \`selector\` names`,
    received: "Markdown with the text of the whole page",
  });
}

function hasTable({ content }: PageAnswer): boolean {
  return content.rows > 1;
}

/** Judges that the content of the body, or of the document, is the whole page. */
function judgeWhole(answer: PageAnswer, { plain }: TargetPage): Judgement {
  return judgeMost(answer, [...plain.content.words.keys()], true, "its body");
}

const makeSelectorRule = (name: string, judge: PageJudge): PageRule =>
  makePageRule("page/selector-limits-content", [name], judge);

/** Makes a rule on a selector beside another option. Its answer may be refused; where it is not, the selector still holds. */
const makeBesideRule = (part: MarkupPlace & ("link" | "table")): PageRule => {
  const alone = selectedRules.filter(({ scrapes }) => scrapes.includes(makeScrapeId(`of-${part}`)));
  const rule = makePageRule(
    "relations/selector-excludes",
    ["links-off", "images-on", "main-content", "placeholders"].map((name) => `of-${part}-with-${name}`),
    (answer, page) => judgeSelected(answer, page, part, isShown[part](page.plain)),
    [`of-${part}`],
  );
  return {
    ...rule,
    judge: (exchange, run) => {
      const judgement = rule.judge(exchange, run);
      return judgement.findings.length > 0 && findFailingAlone(alone, run) !== undefined
        ? nothingSeen("It fails alone: page/selector-limits-content.")
        : judgement;
    },
  };
};

const isShown = { link: ({ content }: PageAnswer): boolean => content.links.size > 0, table: hasTable };

const selectedRules: readonly PageRule[] = [
  makeSelectorRule("of-link", (answer, page) => judgeSelected(answer, page, "link", isShown.link(page.plain))),
  makeSelectorRule("of-table", (answer, page) => judgeSelected(answer, page, "table", isShown.table(page.plain))),
];

/** Makes a rule on a list of ignored tags: the tags decide how their content is judged. */
const makeIgnoredRule = (
  name: string,
  has: (answer: PageAnswer, page: TargetPage) => boolean,
  what: string,
  beside: readonly string[] = [],
): PageRule =>
  makePageRule(
    "page/ignored_tags-are-ignored",
    [name],
    (answer, page) => {
      const plain = page.get(beside[0] ?? "plain") ?? page.plain;
      if (!has(plain, page)) return nothingSeen(`The page shows no ${what}.`);
      return verdict(!has(answer, page), {
        where: markdown,
        expected: `no ${what}, since the tag is in \`ignored_tags\``,
        received: `Markdown with ${what}`,
      });
    },
    beside,
  );

/** Judges that text outside of an ignored element stays; only of elements that hold nothing but their own line, and that are there. */
function judgeRest(answer: PageAnswer, page: TargetPage, isThere: boolean): Judgement {
  if (!isThere) return nothingSeen("The page shows no element of the tag that is ignored.");
  const rest = listWordsOutside(page.plain.content, "heading", "image");
  return judgeMost(answer, rest, true, "elements of other tags");
}

/** Scrapes that show that ignored tags have an effect at all. */
const ignoringAny = ["ignoring-links", "ignoring-tables", "ignoring-headings"];

const makeLeftOutRule = (name: string, words: (page: TargetPage) => string[] | undefined, what: string): PageRule =>
  makePageRule(
    "page/ignored_tags-are-left-out",
    [name],
    (answer, page) =>
      (name === "ignoring-forms" ? ignoringAny : [name]).some((other) => hasEffect(page.get(other) ?? answer, page))
        ? judgeMost(answer, words(page), false, what)
        : nothingSeen("The option has no effect on the page, whatever the tag is."),
    [...ignoringAny, ...(name === "ignoring-forms" ? ["of-form", "of-nothing", "default-of-only_main_content"] : [])],
  );

/** Returns whether an option has changed the text of the page. */
const hasEffect = (answer: PageAnswer, { plain }: TargetPage): boolean => findDifference(answer, plain) !== undefined;

const surroundings = ["navigation", "footer"] as const;
const surroundingProbes = ["default-of-only_main_content", ...surroundings.map((part) => `of-${part}`), "of-nothing"];

/** Judges the navigation bar and the footer, as far as the page is known to have them. */
function judgeSurroundings(answer: PageAnswer, page: TargetPage, isExpected: boolean): Judgement {
  const judgements = surroundings.map((part) =>
    judgeMost(answer, listWordsOfPart(page, part), isExpected, `its ${part}`),
  );
  return combine(judgements, "The page shows neither a navigation bar nor a footer that a selector names.");
}

/** Returns whether an answer has links of the page. */
const hasLinks = ({ content }: PageAnswer, { links }: TargetPage): boolean =>
  links.some((address) => content.links.has(address));
const hasHeadings = ({ content }: PageAnswer, { plain }: TargetPage): boolean =>
  listWordsOnlyIn(plain.content, "heading").some((word) => listWordsOnlyIn(content, "heading").includes(word));
const hasImages = ({ content }: PageAnswer, { images }: TargetPage): boolean =>
  images.some((address) => content.images.has(address));

/** Rules on parts of the page, one option at a time. */
export const partRules: readonly PageRule[] = [
  makePageRule("page/markdown-is-no-html-document", ["plain"], ({ scrape }) =>
    verdict(!isHtmlDocument(scrape), { where: markdown, expected: "Markdown", received: "an HTML document" }),
  ),
  ...selectedRules,
  makeBesideRule("link"),
  makeBesideRule("table"),
  makeSelectorRule("of-body", judgeWhole),
  makeSelectorRule("of-html", judgeWhole),
  makeIgnoredRule("ignoring-links", hasLinks, "links"),
  makeIgnoredRule("ignoring-tables", hasTable, "table"),
  makeIgnoredRule("ignoring-headings", hasHeadings, "heading"),
  makeIgnoredRule("ignoring-images", hasImages, "image in the Markdown", ["images-on"]),
  makePageRule("page/ignored_tags-are-ignored", ["ignoring-headings"], (answer, page) =>
    judgeRest(answer, page, hasHeadings(page.plain, page)),
  ),
  makePageRule(
    "page/ignored_tags-are-ignored",
    ["ignoring-images"],
    (answer, page) => judgeRest(answer, page, page.images.length > 0),
    ["images-on"],
  ),
  makeLeftOutRule("ignoring-links", ({ plain }) => listWordsOnlyIn(plain.content, "link"), "texts of links"),
  makeLeftOutRule("ignoring-tables", ({ plain }) => listWordsOnlyIn(plain.content, "table"), "a table"),
  makeLeftOutRule("ignoring-headings", ({ plain }) => listWordsOnlyIn(plain.content, "heading"), "headings"),
  makeLeftOutRule("ignoring-lists", ({ plain }) => listWordsOnlyIn(plain.content, "list"), "lists"),
  makeLeftOutRule("ignoring-forms", (page) => listWordsOfPart(page, "form"), "a form that a selector names"),
  makePageRule(
    "page/ignored_tags-default",
    ["plain"],
    (answer, page) => {
      const reference = page.get("default-of-ignored_tags");
      const words = reference && hasTable(reference) ? listWordsOnlyIn(reference.content, "table") : undefined;
      return judgeMost(answer, words, true, "a table");
    },
    ["default-of-ignored_tags"],
  ),
  makePageRule(
    "page/only_main_content-leaves-out-surroundings",
    ["main-content"],
    (answer, page) => judgeSurroundings(answer, page, false),
    surroundingProbes,
  ),
  makePageRule(
    "page/only_main_content-default",
    ["plain"],
    (answer, page) => judgeSurroundings(answer, page, true),
    surroundingProbes,
  ),
];
