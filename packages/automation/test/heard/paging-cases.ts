import { answer, fails, givesPart, givesRows, late, type Case, type CasePage } from "./run-case.ts";

const rows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `<tr><td>${from + index}<td>n${from + index}</tr>`).join("");
const items = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `<li>n${from + index}</li>`).join("");
const table = (body: string): string => `<table id=t><tr><th>No<th>Name</tr>${body}</table>`;

/** Four pages of five rows each, with a pager that a function writes for each page. */
function paged(pager: (page: number) => string): Case["pages"] {
  const page: CasePage = (request, response) => {
    const number = Number(new URL(request.url ?? "/", "http://x").searchParams.get("p") ?? 1);
    const body = `<!doctype html><meta charset=utf-8>${table(rows(number * 5 - 5, number * 5))}${pager(number)}`;
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
  };
  return { "/": page };
}
const link = (page: number, name: string): string => (page < 4 ? `<a href="/?p=${page + 1}">${name}</a>` : "");
const numbers =
  (current: (page: number) => string) =>
  (page: number): string =>
    `<div class=pages>${[1, 2, 3, 4].map((one) => (one === page ? current(one) : `<a href="/?p=${one}">${one}</a>`)).join(" ")}</div>`;
const all = "extract the table from all pages";

/** A script that adds rows to a table, up to a number, five at a time. */
const adding = (most: number): string =>
  `<script>let n = 5; const add = () => { let h = ""; for (let i = 0; i < 5 && n < ${most}; i++, n++) h += "<tr><td>" + n + "<td>n" + n + "</tr>"; t.tBodies[0].insertAdjacentHTML("beforeend", h) }</script>`;
const virtual = (rowHtml: string, count: number, attributes: string): string =>
  `<div id=v style="height:120px;overflow:auto;position:relative" ${attributes}><div style="height:${count * 24}px"><div id=w style="position:absolute;left:0;right:0"></div></div></div><script>
    const draw = () => { const i = Math.floor(v.scrollTop / 24); w.style.top = i * 24 + "px"; let h = ""; for (let k = i; k < Math.min(${count}, i + 8); k++) h += ${rowHtml}; w.innerHTML = h };
    v.onscroll = draw; draw()</script>`;

/** Tables and lists of which the page shows a part. */
export const pagingCases: readonly Case[] = [
  ...[
    "Weiter",
    "Suivant",
    "Siguiente ›",
    "Volgende",
    "Avanti",
    "Próxima",
    "Następna",
    "Далее",
    "次へ",
    "下一页",
    "다음",
    "التالي",
    "Nästa",
    "Sonraki »",
    "Go to next page",
  ].map((name): Case => ({
    name: `a link named ${name}`,
    pages: paged((page) => link(page, name)),
    task: all,
    right: givesRows(20),
  })),
  {
    name: "a button with a sign and a label",
    pages: paged((page) =>
      page < 4
        ? `<button aria-label="Nächste Seite" onclick="location = '/?p=${page + 1}'">&gt;</button>`
        : `<button aria-label="Nächste Seite" disabled>&gt;</button>`,
    ),
    task: all,
    right: givesRows(20),
  },
  {
    name: "numbers, of which the current one is bold",
    pages: paged(numbers((one) => `<b>${one}</b>`)),
    task: all,
    right: givesRows(20),
  },
  {
    name: "numbers that are all links alike",
    pages: paged(numbers((one) => `<a href="/?p=${one}">${one}</a>`)),
    task: all,
    right: givesRows(20),
  },
  {
    name: "numbers as buttons, of which the current one is disabled",
    pages: paged(
      (page) =>
        `<nav>${[1, 2, 3, 4].map((one) => `<button ${one === page ? "disabled" : ""} onclick="location = '/?p=${one}'">${one}</button>`).join("")}</nav>`,
    ),
    task: all,
    right: givesRows(20),
  },
  {
    name: "a button that loads more",
    pages: {
      "/": `${table(rows(0, 5))}${adding(20)}<button id=m onclick="add(); if (n >= 20) m.remove()">Load more</button>`,
    },
    task: all,
    right: givesRows(20),
  },
  {
    name: "a button that loads more, in French, with a count",
    pages: {
      "/": `${table(rows(0, 5))}${adding(17)}<button id=m onclick="after(300, () => { add(); m.hidden = n >= 17 })">Afficher plus (12)</button>`,
    },
    task: all,
    right: givesRows(17),
  },
  {
    name: "a button that loads more and stays",
    pages: { "/": `${table(rows(0, 5))}${adding(15)}<button onclick="add()">Mehr anzeigen</button>` },
    task: all,
    right: givesRows(15),
  },
  {
    name: "a button that asks the server for more",
    pages: {
      "/": `${table(rows(0, 5))}<button id=m onclick="get('/more', (h) => { t.tBodies[0].insertAdjacentHTML('beforeend', h); m.remove() })">Show 5 more rows</button>`,
      "/more": late(3000, rows(5, 10)),
    },
    task: all,
    right: givesRows(10),
  },
  {
    name: "an endless list",
    pages: {
      "/": `<ul id=l>${items(0, 40)}</ul><div id=s>…</div><script>let n = 40; new IntersectionObserver((e) => { if (e[0].isIntersecting && n < 100) after(200, () => { for (let i = 0; i < 20; i++, n++) l.insertAdjacentHTML("beforeend", "<li>n" + n + "</li>") }) }).observe(s)</script>`,
    },
    task: "extract the list from all pages",
    right: givesRows(100),
  },
  {
    name: "an endless list in a box, from the server",
    pages: {
      "/": `<div id=b style="height:150px;overflow:auto"><ul id=l>${items(0, 20)}</ul></div><script>let n = 20, busy; b.onscroll = () => { if (busy || n >= 60 || b.scrollTop + b.clientHeight < b.scrollHeight - 5) return; busy = true; get('/part', () => { for (let i = 0; i < 20; i++, n++) l.insertAdjacentHTML("beforeend", "<li>n" + n + "</li>"); busy = false }) }</script>`,
      "/part": late(600, ""),
    },
    task: "extract the list from all pages",
    right: givesRows(60),
  },
  {
    name: "a grid that draws what is shown",
    pages: {
      "/": virtual(
        `"<div role=row aria-rowindex=" + (k + 2) + "><span role=gridcell>" + k + "</span> <span role=gridcell>n" + k + "</span></div>"`,
        80,
        `role=grid aria-label=People aria-rowcount=80`,
      ),
    },
    task: "extract the table",
    right: givesRows(80),
  },
  {
    name: "a list that draws what is shown, without a word about it",
    pages: { "/": virtual(`"<div role=listitem style='height:24px'>n" + k + "</div>"`, 120, "role=list") },
    task: "extract the list",
    right: givesRows(120),
  },
  {
    name: "a list that draws what is shown, and has the same item twice in a row",
    pages: { "/": virtual(`"<div role=listitem style='height:24px'>n" + (k - k % 2) + "</div>"`, 60, "role=list") },
    task: "extract the list",
    right: givesRows(60),
  },
  // A part, or no way to the rest:
  {
    name: "one page of several, when only the table is asked for",
    pages: paged((page) => link(page, "Next")),
    task: "extract the table",
    right: givesPart(/This is a part.*Next/),
  },
  {
    name: "rows of which the page says how many there are",
    pages: { "/": `<p>1–5 of 237</p>${table(rows(0, 5))}` },
    task: "extract the table",
    right: givesPart(/5 of 237/),
  },
  {
    name: "rows of which a German page says how many there are",
    pages: { "/": `${table(rows(0, 5))}<div>1 bis 5 von 1.204 Einträgen</div>` },
    task: all,
    right: givesPart(/5 of 1204/),
  },
  {
    name: "a grid that says how many rows it has, and draws some",
    pages: { "/": `<table aria-rowcount=301 id=t><tr><th>No<th>Name</tr>${rows(0, 5)}</table>` },
    task: "extract the table",
    right: givesPart(/5 of 300/),
  },
  {
    name: "a next page that is answered with 500",
    pages: { "/": `${table(rows(0, 5))}<a href=/two>Next</a>`, "/two": answer(500, "<h1>No</h1>") },
    task: all,
    right: fails(/500/),
  },
  {
    name: "more pages than are read",
    pages: {
      "/": (request, response) => {
        const number = Number(new URL(request.url ?? "/", "http://x").searchParams.get("p") ?? 1);
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(`${table(rows(number * 2, number * 2 + 2))}<a href="/?p=${number + 1}">Next</a>`);
      },
    },
    task: "extract the table from the first 3 pages",
    right: ({ end, data, report }) =>
      end === "done" && Array.isArray(data) && data.length === 6 && /more pages/.test(report),
  },
  // One page:
  {
    name: "a table that is all there is",
    pages: { "/": table(rows(0, 5)) },
    task: "extract the table",
    right: ({ end, data, report }) =>
      end === "done" && Array.isArray(data) && data.length === 5 && /all 5 rows/.test(report),
  },
  {
    name: "all pages of one page",
    pages: {
      "/": `${table(rows(0, 5))}<form action=/buy><label>Name <input></label><button>Weiter</button></form>`,
      "/buy": (_, response, say) => {
        say("bought");
        response.end();
      },
    },
    task: all,
    right: ({ end, data, messages }) =>
      end === "done" && Array.isArray(data) && data.length === 5 && messages.length === 0,
  },
  {
    name: "numbers in a calendar and a rating",
    pages: {
      "/": `${table(rows(0, 5))}<div role=radiogroup><button onclick="say('1')">1</button><button onclick="say('2')">2</button></div><table id=u><tr><td><button onclick="say('d')">1</button><td><button onclick="say('d')">2</button></tr></table>`,
    },
    task: all,
    right: ({ end, messages }) => end === "done" && messages.length === 0,
  },
];
