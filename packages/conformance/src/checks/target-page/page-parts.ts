/** Rules on options that choose a part of the given page, or leave parts out. */
import { combine, nothingSeen, verdict, type Judgement } from "../check.ts";
import { isHtmlDocument } from "../pages/scraped.ts";
import {
  findDifference,
  hasMost,
  listWordsOfPart,
  type GivenScrape,
  type GivenPage,
  findFailingAlone,
  makePageRule,
  type GivenRule,
  type PageJudge,
} from "./given-page.ts";
import { makeGivenId, headingSchema } from "./given-probes.ts";
import { listWordsOnlyIn, listWordsOutside, type ShownPlace } from "./shown.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../http/json.ts";

const fits = new Ajv2020({ validateSchema: false }).compile(headingSchema);

/** Judges an answer where the page has the heading that the schema asks for. */
function onHeading(judge: (structured: unknown) => Judgement): PageJudge {
  return ({ seen }, { plain }) =>
    listWordsOnlyIn(plain.shown, "heading").length === 0
      ? nothingSeen("The page shows no heading that could be extracted.")
      : judge(seen.structured);
}

const makeStructureRule = (check: string, judge: (structured: unknown) => Judgement): GivenRule =>
  makePageRule(check, ["structured"], onHeading(judge), ["plain"]);

/** The rules. What an extraction finds is left open; that it follows the schema is not. */
export const structureRules: readonly GivenRule[] = [
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
  answer: GivenScrape,
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
function judgeSelected(answer: GivenScrape, page: GivenPage, place: ShownPlace, isShown: boolean): Judgement {
  if (!isShown) return nothingSeen(`The page shows no ${place}.`);
  const outside = listWordsOutside(page.plain.shown, place);
  const isThere = hasMost(outside, answer, wholeShare);
  if (isThere === undefined) return nothingSeen(`The page shows too little text beside its ${place}s.`);
  return verdict(!isThere, {
    where: markdown,
    expected: `nothing from outside of the ${place} that \`selector\` names`,
    received: "Markdown with the text of the whole page",
  });
}

function hasTable({ shown }: GivenScrape): boolean {
  return shown.rows > 1;
}

/** Judges that the content of the body, or of the document, is the whole page. */
function judgeWhole(answer: GivenScrape, { plain }: GivenPage): Judgement {
  return judgeMost(answer, [...plain.shown.words.keys()], true, "its body");
}

const makeSelectorRule = (name: string, judge: PageJudge): GivenRule =>
  makePageRule("page/selector-limits-content", [name], judge);

/** Makes a rule on a selector beside another option. Its answer may be refused; where it is not, the selector still holds. */
const makeBesideRule = (part: ShownPlace & ("link" | "table")): GivenRule => {
  const alone = selectedRules.filter(({ judged }) => judged.includes(makeGivenId(`of-${part}`)));
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

const isShown = { link: ({ shown }: GivenScrape): boolean => shown.links.size > 0, table: hasTable };

const selectedRules: readonly GivenRule[] = [
  makeSelectorRule("of-link", (answer, page) => judgeSelected(answer, page, "link", isShown.link(page.plain))),
  makeSelectorRule("of-table", (answer, page) => judgeSelected(answer, page, "table", isShown.table(page.plain))),
];

/** Makes a rule on a list of ignored tags: the tags decide how their content is judged. */
const makeIgnoredRule = (
  name: string,
  has: (answer: GivenScrape, page: GivenPage) => boolean,
  what: string,
  beside: readonly string[] = [],
): GivenRule =>
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
function judgeRest(answer: GivenScrape, page: GivenPage, isThere: boolean): Judgement {
  if (!isThere) return nothingSeen("The page shows no element of the tag that is ignored.");
  const rest = listWordsOutside(page.plain.shown, "heading", "image");
  return judgeMost(answer, rest, true, "elements of other tags");
}

/** Scrapes that show that ignored tags have an effect at all. */
const ignoringAny = ["ignoring-links", "ignoring-tables", "ignoring-headings"];

const makeLeftOutRule = (name: string, words: (page: GivenPage) => string[] | undefined, what: string): GivenRule =>
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
const hasEffect = (answer: GivenScrape, { plain }: GivenPage): boolean => findDifference(answer, plain) !== undefined;

const surroundings = ["navigation", "footer"] as const;
const surroundingProbes = ["default-of-only_main_content", ...surroundings.map((part) => `of-${part}`), "of-nothing"];

/** Judges the navigation bar and the footer, as far as the page is known to have them. */
function judgeSurroundings(answer: GivenScrape, page: GivenPage, isExpected: boolean): Judgement {
  const judgements = surroundings.map((part) =>
    judgeMost(answer, listWordsOfPart(page, part), isExpected, `its ${part}`),
  );
  return combine(judgements, "The page shows neither a navigation bar nor a footer that a selector names.");
}

/** Returns whether an answer has links of the page. */
const hasLinks = ({ shown }: GivenScrape, { links }: GivenPage): boolean =>
  links.some((address) => shown.links.has(address));
const hasHeadings = ({ shown }: GivenScrape, { plain }: GivenPage): boolean =>
  listWordsOnlyIn(plain.shown, "heading").some((word) => listWordsOnlyIn(shown, "heading").includes(word));
const hasImages = ({ shown }: GivenScrape, { images }: GivenPage): boolean =>
  images.some((address) => shown.images.has(address));

/** Rules on parts of the page, one option at a time. */
export const partRules: readonly GivenRule[] = [
  makePageRule("page/markdown-is-no-html-document", ["plain"], ({ seen }) =>
    verdict(!isHtmlDocument(seen), { where: markdown, expected: "Markdown", received: "an HTML document" }),
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
  makeLeftOutRule("ignoring-links", ({ plain }) => listWordsOnlyIn(plain.shown, "link"), "texts of links"),
  makeLeftOutRule("ignoring-tables", ({ plain }) => listWordsOnlyIn(plain.shown, "table"), "a table"),
  makeLeftOutRule("ignoring-headings", ({ plain }) => listWordsOnlyIn(plain.shown, "heading"), "headings"),
  makeLeftOutRule("ignoring-lists", ({ plain }) => listWordsOnlyIn(plain.shown, "list"), "lists"),
  makeLeftOutRule("ignoring-forms", (page) => listWordsOfPart(page, "form"), "a form that a selector names"),
  makePageRule(
    "page/ignored_tags-default",
    ["plain"],
    (answer, page) => {
      const reference = page.get("default-of-ignored_tags");
      const words = reference && hasTable(reference) ? listWordsOnlyIn(reference.shown, "table") : undefined;
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
