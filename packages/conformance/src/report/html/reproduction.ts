import type { RecordedExchange } from "../report.ts";
import { makeReproduction } from "../shell/curl.ts";
import { markup, type Markup } from "./markup.ts";

/** Maximum length of a command in the page, in UTF-16 units: a report may have hundreds. */
const commandLimit = 20_000;

/** Renders the command that reproduces a request, with a copy button. A click selects all of it. */
export function reproductionBox(exchange: RecordedExchange, all: readonly RecordedExchange[]): Markup {
  const { command, notes } = makeReproduction(exchange, all);
  if (command.length > commandLimit) {
    const remark = "its body is in report.json";
    return markup`<p class="note">The command that reproduces it is too long for this page; ${remark}.</p>
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
