import { chosenBy, otherwise } from "../readings-text.ts";
import type { ReadingResult } from "../report.ts";
import { idLinks, markup, prose, type Markup } from "./markup.ts";

/** Renders the readings: how each ambiguous sentence was understood, and the verdict under its other values. */
export function readingList(readings: readonly ReadingResult[]): Markup {
  return markup`<dl class="observations">${readings.map(readingEntry)}</dl>`;
}

function readingEntry({ id, sentence, requirements, value, text, by, others }: ReadingResult): Markup {
  const rows = others.map(
    (
      other,
    ) => markup`<p class="note">With <code>${other.value}</code> the verdict would be: ${otherwise(other.verdict)}. ${prose(other.text)}</p>
`,
  );
  return markup`<div><dt>${prose(sentence)} <span class="about"><code>${id}</code> · about ${idLinks("requirement", requirements)}</span></dt>
<dd><p><code>${value}</code> <span class="tag">${chosenBy[by]}</span> ${prose(text)}</p>
${rows}</dd></div>
`;
}
