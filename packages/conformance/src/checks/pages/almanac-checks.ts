import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { entryWords } from "../../site/pages/almanac.ts";
import { markers } from "../../site/pages/markers.ts";
import { writingSystems } from "../../site/pages/writing-systems.ts";
import { findBlocks } from "./markdown-blocks.ts";
import { normalizeText } from "./normalized-text.ts";
import { judgeAbsent, judgePresent, onMarkdown, type Scraped } from "./scraped.ts";
import { firstFrom, findWords } from "./word-places.ts";

const current = "scrape.markdown-of-current-page";
const meaning = "scrape.response.markdown.meaning";
const almanac = "page/almanac";

/** Judges the characters of a scrape. The parser resolves escapes and references; a text that is too long for it is judged as it is. */
function judgeCharacters(seen: Scraped): Judgement {
  const blocks = findBlocks(seen);
  const text = normalizeText(blocks ? blocks.map((block) => block.text).join("\n") : seen.markdown);
  return combine(
    Object.entries(writingSystems).map(([what, sample]) =>
      verdict(text.includes(normalizeText(sample)), {
        requirement: meaning,
        where: "body /markdown",
        expected: `the sentence of the page in ${what}: ${sample}`,
        received: "Markdown without it",
      }),
    ),
    "",
  );
}

function judgeWhole({ text }: Scraped): Judgement {
  const words = findWords(text);
  const missing = entryWords.filter((word) => !words.places.has(word));
  const first = entryWords.indexOf(missing[0] ?? "");
  let at = 0;
  const misplaced = entryWords.find((word) => {
    const next = firstFrom(at, words, word);
    at = next ?? at;
    return next === undefined && words.places.has(word);
  });
  const about = { requirement: meaning, where: "body /markdown" };
  return combine(
    [
      verdict(missing.length === 0, {
        ...about,
        expected: `all ${entryWords.length} paragraphs of the long page`,
        received: `Markdown of ${text.length} characters without ${missing.length} of them, the first of which is number ${first + 1}`,
      }),
      verdict(misplaced === undefined, {
        ...about,
        expected: "the paragraphs of the long page in their order",
        received: `the paragraph with ${misplaced} too early`,
      }),
    ],
    "",
  );
}

/** Checks on the page that is long, changes itself, and has frames and many writing systems. */
export const almanacChecks: readonly Check[] = [
  {
    id: "page/markdown-is-whole",
    title: "The Markdown of a long page has all of it.",
    requirements: [meaning],
    probes: [almanac],
    judge: (exchange) => onMarkdown(exchange, judgeWhole),
  },
  {
    id: "page/markdown-keeps-characters",
    title: "The Markdown has the characters of the page, in every writing system.",
    requirements: [meaning],
    probes: [almanac],
    judge: (exchange) => onMarkdown(exchange, judgeCharacters),
  },
  {
    id: "page/markdown-of-changed-page",
    title: "The Markdown has the current content of the page, after it has changed itself.",
    requirements: [current],
    probes: [almanac],
    judge: (exchange, { pages }) =>
      pages?.hasChanged() === true
        ? onMarkdown(exchange, (seen) =>
            combine([judgePresent(seen, markers.after, current), judgeAbsent(seen, markers.before, current)], ""),
          )
        : nothingSeen("The page did not report that it has changed itself."),
  },
  {
    id: "page/markdown-has-no-source",
    title: "The Markdown has no scripts, style sheets and comments of the page.",
    requirements: [current],
    probes: [almanac],
    judge: (exchange) => onMarkdown(exchange, (seen) => judgeAbsent(seen, markers.source, current)),
  },
];
