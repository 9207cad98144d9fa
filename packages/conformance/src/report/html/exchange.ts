import { formatCount } from "../visible-text.ts";
import type { RecordedExchange } from "../report.ts";
import { bodyParts, type ExchangeView } from "./body.ts";
import { anchor, durationText, idLink, markup, type Markup } from "./markup.ts";

type Response = NonNullable<RecordedExchange["response"]>;
type Headers = Response["headers"];

/** Renders an exchange in one line: method, path, status. */
function exchangeLine(exchange: RecordedExchange): Markup {
  const { request, response } = exchange;
  const answer = response ? markup`${response.status}` : markup`no response`;
  return markup`<span class="line"><b>${request.method}</b> ${formatPath(request.url)} <span class="arrow">→</span> <b>${answer}</b></span>`;
}

/** Renders a request and its response, with the places of findings highlighted. */
function exchangeBody(exchange: RecordedExchange, view: ExchangeView): Markup {
  const { request, response } = exchange;
  return markup`<div class="exchange">
<h4>Request</h4>
<p class="wire">${request.method} ${request.url}</p>
${headerList(request.headers, [])}${request.body === null ? markup`<p class="none">No body.</p>` : bodyBox("Request body", request.body, "", { ...view, places: [] })}
<h4>Response</h4>
${response ? responseParts(response, view) : markup`<p>No response: ${exchange.failure ?? "the reason is not known"}.</p>`}
${view.excerpt ? markup`<p class="note">The whole exchange: ${idLink("exchange", exchange.id)}</p>` : ""}
</div>
`;
}

/** Renders an exchange, collapsed at first. */
export function exchangeDetails(exchange: RecordedExchange, view: ExchangeView): Markup {
  return markup`<details class="nested"><summary>Exchange <code>${exchange.id}</code> ${exchangeLine(exchange)}</summary>
${exchangeBody(exchange, view)}</details>
`;
}

/** Renders an exchange for the list of all exchanges, as the target of links. */
export function exchangeEntry(exchange: RecordedExchange): Markup {
  return markup`<details class="nested"><summary><code>${exchange.id}</code> ${exchangeLine(exchange)} <span class="muted">${durationText(exchange.durationMs)}</span></summary>
<div id="${anchor("exchange", exchange.id)}">${exchangeBody(exchange, { places: [], excerpt: false })}</div></details>
`;
}

function responseParts(response: Response, view: ExchangeView): Markup {
  const { places: marked } = view;
  const type = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const status = markup`Status ${response.status}`;
  const body =
    response.body === "" ? markup`<p class="none">No body.</p>` : bodyBox("Response body", response.body, type, view);
  return markup`<p class="wire">${marked.includes("status") ? markup`<mark>${status}</mark>` : status}</p>
${headerList(response.headers, marked)}${leftOut(response.headersLeftOut)}${body}
<p class="note">${arrival(response)}</p>`;
}

function leftOut(headers = 0): Markup | string {
  return headers === 0 ? "" : markup`<p class="note">and ${formatCount(headers, "more header")}, not kept</p>`;
}

function arrival({ bodyBytes, chunks, end, truncated }: Response): string {
  const pieces = chunks.count === 1 ? "one piece" : `${chunks.count} pieces`;
  const last = chunks.lastMs === null || chunks.lastMs === chunks.firstMs ? "" : `, the last after ${chunks.lastMs} ms`;
  const times = chunks.firstMs === null ? "" : `, the first after ${chunks.firstMs} ms${last}`;
  const remark = truncated ? " The report keeps only its beginning." : "";
  return `${bodyBytes} bytes in ${pieces}${times}. End of the body: ${end}.${remark}`;
}

function headerList(headers: Headers, marked: readonly string[]): Markup {
  const names = new Set(marked.map((where) => where.toLowerCase()));
  const rows = headers.map(([name, value]) => {
    const row = markup`<b>${name}:</b> ${value}`;
    const hit = names.has(`header ${name.toLowerCase()}`);
    return markup`<li>${hit ? markup`<mark>${row}</mark>` : row}</li>`;
  });
  return rows.length === 0
    ? markup``
    : markup`<ul class="headers">${rows}</ul>
`;
}

function bodyBox(label: string, text: string, type: string, view: ExchangeView): Markup {
  return markup`<pre tabindex="0" role="group" aria-label="${label}">${bodyParts(text, type, view)}</pre>`;
}

function formatPath(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/i, "") || "/";
}
