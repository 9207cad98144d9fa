import { answer, fails, gives, late, sends, tells, type Case } from "./run-case.ts";

const table = (rows: string): string => `<table><tr><th>Ship<th>Berth</tr>${rows}</table>`;
const row = (ship: string, berth: string): string => `<tr><td>${ship}<td>${berth}</tr>`;

/** Pages on which what a step began takes its time. */
export const settlingCases: readonly Case[] = [
  {
    name: "steps of a wizard that fade, and a last one that sends after that",
    pages: {
      "/": `<div id=s><button onclick="after(400, () => { s.innerHTML = last.innerHTML })">Next step</button></div><template id=last><button onclick="after(400, () => say('registered'))">Finish</button></template>`,
    },
    task: `click "Next step", click "Finish"`,
    right: sends("registered"),
  },
  {
    name: "a last click that acts after 1.5 s",
    pages: { "/": `<button onclick="after(1500, () => say('sent'))">Send</button>` },
    task: `click "Send"`,
    right: sends("sent"),
  },
  {
    name: "a last click that acts after a chain of short timers",
    pages: {
      "/": `<button onclick="let n = 0; const up = () => { p.value = n += 1; n < 8 ? after(150, up) : say('uploaded') }; up()">Send file</button><progress id=p max=8></progress>`,
    },
    task: `click "Send file"`,
    right: sends("uploaded"),
  },
  {
    name: "a last click that acts after a transition",
    pages: {
      "/": `<style>#b { transition: opacity 700ms }</style><button id=b ontransitionend="say('gone')" onclick="b.style.opacity = 0.2">Archive</button>`,
    },
    task: `click "Archive"`,
    right: sends("gone"),
  },
  {
    name: "a last fill that saves itself after a while",
    pages: {
      "/": `<label>Note <input oninput="clearTimeout(this.t); this.t = after(900, () => say(this.value))"></label>`,
    },
    task: `fill "Note" with "milk"`,
    right: sends("milk"),
  },
  {
    name: "a last fill that is saved when the field is left",
    pages: { "/": `<label>Note <input onchange="say(this.value)"></label>` },
    task: `fill "Note" with "milk"`,
    right: sends("milk"),
  },
  {
    name: "two requests, one after the other, after the last click",
    pages: { "/": `<button onclick="get('/token', (t) => say(t))">Sign</button>`, "/token": late(1400, "signed") },
    task: `click "Sign"`,
    right: sends("signed"),
  },
  {
    name: "a last request that is never answered",
    pages: { "/": `<button onclick="fetch('/save', { method: 'POST' })">Save</button>`, "/save": () => {} },
    task: `click "Save"`,
    right: fails(/POST .*\/save had not been answered/),
  },
  {
    name: "a list that shows Loading until it is there",
    pages: {
      "/": `<ul id=l aria-busy=true><li>Loading…</ul><script>get('/data', (t) => { l.innerHTML = t; l.removeAttribute('aria-busy') })</script>`,
      "/data": late(3500, "<li>A<li>B"),
    },
    task: "extract the list",
    right: gives(["A", "B"]),
  },
  {
    name: "a list that shows Loading and takes nobody knows what",
    pages: {
      "/": `<ul id=l><li>Loading people…</ul><script>const w = new Worker(URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 3200)"]))); w.onmessage = () => { l.innerHTML = "<li>A<li>B" }</script>`,
    },
    task: "extract the list",
    right: gives(["A", "B"]),
  },
  {
    name: "a list that never stops loading",
    pages: { "/": `<ul><li>Loading…</ul>` },
    task: "extract the list",
    right: fails(/Loading/),
  },
  {
    name: "a table of dashes that is filled after 1.8 s",
    pages: {
      "/": `${table(row("–", "–"))}<script>after(1800, () => { document.querySelector("tbody").rows[1].innerHTML = "<td>Alba<td>4" })</script>`,
    },
    task: "extract the table",
    right: gives([{ Ship: "Alba", Berth: "4" }]),
  },
  {
    name: "a skeleton with rows that look like content",
    pages: {
      "/": `<div class=skeleton-rows id=k>…</div>${table(row("Ship", "0"))}<script>after(2200, () => { k.remove(); document.querySelector("tbody").rows[1].innerHTML = "<td>Alba<td>4" })</script>`,
    },
    task: "extract the table",
    right: gives([{ Ship: "Alba", Berth: "4" }]),
  },
  {
    name: "a route that is shown after 1.8 s",
    pages: {
      "/": `<ul id=l><li>Home</ul><button onclick="after(1800, () => { l.innerHTML = '<li>Ada<li>Bob' })">People</button>`,
    },
    task: `click "People" and extract the list`,
    right: gives(["Ada", "Bob"]),
  },
  {
    name: "a table of another harbour, until the request is answered after 4 s",
    pages: {
      "/": `<label>Harbour <select onchange="get('/ships', (t) => { document.querySelector('tbody').rows[1].innerHTML = t })"><option>Oslo<option>Bergen</select></label>${table(row("Old", "1"))}`,
      "/ships": late(4000, "<td>New<td>2"),
    },
    task: `select "Bergen" from "Harbour", extract the table`,
    right: gives([{ Ship: "New", Berth: "2" }]),
  },
  {
    name: "a table whose request is never answered",
    pages: {
      "/": `<label>Harbour <select onchange="get('/ships', () => {})"><option>Oslo<option>Bergen</select></label>${table(row("Old", "1"))}`,
      "/ships": () => {},
    },
    task: `select "Bergen" from "Harbour", extract the table`,
    right: fails(/\/ships had not been answered/),
  },
  {
    name: "a filter that acts after 700 ms, and asks the server",
    pages: {
      "/": `<label>Filter <input oninput="clearTimeout(this.t); this.t = after(700, () => get('/list?' + this.value, (t) => { l.innerHTML = t }))"></label><ul id=l><li>All</ul>`,
      "/list": late(900, "<li>Tea"),
    },
    task: `fill "Filter" with "te", extract the list`,
    right: gives(["Tea"]),
  },
  {
    name: "a second step that needs what the first one loads",
    pages: {
      "/": `<label>Country <select id=c onchange="get('/cities', (t) => { d.innerHTML = t })"><option>NO<option>SE</select></label><label>City <select id=d><option>Oslo</select></label><button onclick="say(c.value + ' ' + d.value)">Go</button>`,
      "/cities": late(3200, "<option>Lund<option>Malmö"),
    },
    task: `select "SE" from "Country", select "Malmö" from "City", click "Go"`,
    right: sends("SE Malmö"),
  },
  {
    name: "a form that is drawn anew by what the step before began",
    pages: {
      "/": `<button onclick="get('/form', (t) => { f.innerHTML = t })">Private</button><div id=f><label>Name <input></label><button onclick="say(document.querySelector('input').value)">Save</button></div>`,
      "/form": late(
        2900,
        `<label>Name <input></label><button onclick="say('private ' + document.querySelector('input').value)">Save</button>`,
      ),
    },
    task: `click "Private", fill "Name" with "Ada", click "Save"`,
    right: sends("private Ada"),
  },
  // Goes on by itself:
  {
    name: "a clock, and a request every second",
    pages: {
      "/": `<p id=t></p><script>setInterval(() => { t.textContent = Date.now() }, 90); setInterval(() => fetch('/poll'), 400)</script><button onclick="say('go')">Go</button>`,
      "/poll": late(150, ""),
    },
    task: `click "Go"`,
    right: sends("go"),
  },
  {
    name: "a page that waits for news for ever",
    pages: {
      "/": `<script>fetch('/news')</script><button onclick="say('go')">Go</button><ul><li>A<li>B</ul>`,
      "/news": () => {},
    },
    task: `click "Go", extract the list`,
    right: ({ end, data, report }) => end === "done" && JSON.stringify(data) === '["A","B"]' && /\/news/.test(report),
  },
  {
    name: "events that the server sends",
    pages: {
      "/": `<script>new EventSource('/events')</script><button onclick="fetch('/stream'); say('go')">Go</button>`,
      "/events": (_, response) =>
        void response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n"),
      "/stream": (_, response) =>
        void response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n"),
    },
    task: `click "Go"`,
    right: sends("go"),
  },
  {
    name: "a part of the page that never stops loading",
    pages: { "/": `<main><ul><li>A<li>B</ul></main><aside>Loading comments…</aside>` },
    task: "extract the list",
    right: ({ end, data, report }) =>
      end === "done" && JSON.stringify(data) === '["A","B"]' && /Loading comments/.test(report),
  },
  {
    name: "a page that is a 404, of which the text is asked for",
    pages: { "/": answer(404, "<p>Nothing is here, nor was it ever.</p>") },
    task: "extract the text",
    right: ({ end, report }) => end === "error" || /404/.test(report),
  },
  {
    name: "a message that goes again after five seconds",
    pages: {
      "/": `<button onclick="say('kept'); out.textContent = 'Saved'; after(5000, () => { out.textContent = '' })">Keep</button><p role=status id=out></p>`,
    },
    task: `click "Keep"`,
    right: tells(/Saved/, "kept"),
  },
];
