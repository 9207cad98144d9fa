import type { Exchange } from "../../http/exchange.ts";
import type { Target } from "../../target/target.ts";
import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { entryWords } from "../../site/pages/almanac.ts";
import { markers } from "../../site/pages/markers.ts";
import { writingSystems } from "../../site/pages/writing-systems.ts";
import { findBlocks } from "./markdown-blocks.ts";
import { normalizeText, findFirstFrom, findWords } from "./word-places.ts";
import { judgeAbsent, judgePresent, onMarkdown, type Scrape } from "./scrape.ts";
import { makeCheck } from "../make-check.ts";

const almanac = "page/almanac";

/** Judges the characters of a scrape. The parser resolves escapes and references; a text that is too long for it is judged as it is. */
function judgeCharacters(scrape: Scrape): Judgement {
  const blocks = findBlocks(scrape);
  const text = normalizeText(blocks ? blocks.map((block) => block.text).join("\n") : scrape.markdown);
  return combine(
    Object.entries(writingSystems).map(([what, sample]) =>
      verdict(text.includes(normalizeText(sample)), {
        where: "body /markdown",
        expected: `the sentence of the page in ${what}: ${sample}`,
        received: "Markdown without it",
      }),
    ),
    "",
  );
}

function judgeWhole({ text }: Scrape): Judgement {
  const words = findWords(text);
  const missing = entryWords.filter((word) => !words.places.has(word));
  const first = entryWords.indexOf(missing[0] ?? "");
  let at = 0;
  const misplaced = entryWords.find((word) => {
    const next = findFirstFrom(at, words, word);
    at = next ?? at;
    return next === undefined && words.places.has(word);
  });
  return combine(
    [
      verdict(missing.length === 0, {
        where: "body /markdown",
        expected: `all ${entryWords.length} paragraphs of the long page`,
        received: `Markdown of ${text.length} characters without ${missing.length} of them, the first of which is number ${first + 1}`,
      }),
      verdict(misplaced === undefined, {
        where: "body /markdown",
        expected: "the paragraphs of the long page in their order",
        received: `the paragraph with ${misplaced} too early`,
      }),
    ],
    "",
  );
}

/** Judges that the page is shown as it is after it has changed itself. */
function judgeChanged(exchange: Exchange, { pages }: Target): Judgement {
  if (pages?.hasChanged() !== true) return nothingSeen("The page did not report that it has changed itself.");
  return onMarkdown(exchange, (scrape) =>
    combine([judgePresent(scrape, markers.after), judgeAbsent(scrape, markers.before)], ""),
  );
}

/** Checks on the page that is long, changes itself, and has frames and many writing systems. */
export const almanacChecks: readonly Check[] = [
  makeCheck("page/markdown-is-whole", [almanac], (exchange) => onMarkdown(exchange, judgeWhole)),
  makeCheck("page/markdown-keeps-characters", [almanac], (exchange) => onMarkdown(exchange, judgeCharacters)),
  makeCheck("page/markdown-of-changed-page", [almanac], judgeChanged),
  makeCheck("page/markdown-has-no-source", [almanac], (exchange) =>
    onMarkdown(exchange, (scrape) => judgeAbsent(scrape, markers.source)),
  ),
];
