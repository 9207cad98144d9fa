import type { RecordedExchange } from "../report.ts";
import { reproductionOf } from "../curl.ts";
import { markup, type Markup } from "./markup.ts";

/** A longer command is of no use on a page, and a report may have hundreds. In UTF-16 units. */
const commandLimit = 20_000;

/**
 * The command that sends a request again, with a button that copies it where scripts run. A click selects all of it.
 */
export function reproductionBox(exchange: RecordedExchange, all: readonly RecordedExchange[]): Markup {
  const { command, notes } = reproductionOf(exchange, all);
  if (command.length > commandLimit) {
    const kept = "its body is in report.json";
    return markup`<p class="note">The command that reproduces it is too long for this page; ${kept}.</p>
`;
  }
  return markup`<div class="reproduce"><h4>Reproduce</h4><button type="button" class="copy">Copy</button>
<pre tabindex="0" role="group" aria-label="Command that reproduces it">${command}</pre>
${notes.map(
  (note) => markup`<p class="note">${note}</p>
`,
)}</div>
`;
}
