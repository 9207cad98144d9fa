import { givesPart, givesRows, late, sends, tells, type Case } from "./run-case.ts";

const click = `click "Continue"`;

/** More lists of which the page shows a part, and more that goes well. */
export const otherPagingCases: readonly Case[] = [
  {
    name: "a link for more that only unfolds a text",
    pages: {
      "/": `<table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table><p id=p>Short.</p><button onclick="p.textContent = 'A long text.'">Show more</button>`,
    },
    task: "extract the table from all pages",
    right: ({ end, data }) => end === "done" && Array.isArray(data) && data.length === 1,
  },
  {
    name: "pages that are shown without an address of their own, slowly",
    pages: {
      "/": `<ul id=l></ul><button id=b onclick="p++; get('/p', draw)">Nächste Seite</button><script>let p = 0; const draw = () => { l.innerHTML = [1, 2, 3].map((i) => '<li>' + (p * 3 + i)).join(''); b.disabled = p >= 3 }; draw()</script>`,
      "/p": late(3200, ""),
    },
    task: "extract the list from all pages",
    right: givesRows(12),
  },
  {
    name: "numbers in a nav, as spans with a handler",
    pages: {
      "/": `<ul id=l></ul><div class=pagination id=n></div><script>const go = (p) => { l.innerHTML = [1, 2, 3].map((i) => '<li>' + (p * 3 + i)).join(''); n.innerHTML = [0, 1, 2].map((i) => '<span class="' + (i === p ? 'active' : '') + '" onclick="go(' + i + ')">' + (i + 1) + '</span>').join('') }; go(0)</script>`,
    },
    task: "extract the list from all pages",
    right: givesRows(9),
  },
  {
    name: "ten pages of which seven numbers are shown",
    pages: {
      "/": `<ul id=l></ul><nav id=n></nav><script>const go = (p) => { l.innerHTML = '<li>a' + p + '<li>b' + p; n.innerHTML = ''; for (let i = Math.max(1, p - 2); i <= Math.min(10, p + 2); i++) n.insertAdjacentHTML('beforeend', i === p ? '<strong>' + i + '</strong>' : '<a href="#" onclick="go(' + i + '); return false">' + i + '</a>') }; go(1)</script>`,
    },
    task: "extract the list from all pages",
    right: givesRows(20),
  },
  {
    name: "a table in a box that draws rows with a spacer before and after",
    pages: {
      "/": `<div id=v style="height:150px;overflow:auto"><table><thead><tr><th>No<th>Name</tr></thead><tbody id=b></tbody></table></div><script>const draw = () => { const i = Math.floor(v.scrollTop / 25); let h = '<tr style="height:' + i * 25 + 'px"></tr>'; for (let k = i; k < Math.min(90, i + 9); k++) h += '<tr style="height:25px"><td>' + k + '<td>n' + k + '</tr>'; b.innerHTML = h + '<tr style="height:' + Math.max(0, 90 - i - 9) * 25 + 'px"></tr>' }; v.onscroll = draw; draw()</script>`,
    },
    task: "extract the table",
    right: givesRows(90),
  },
  {
    name: "a virtual list that loads from the server",
    pages: {
      "/": `<div id=v style="height:120px;overflow:auto;position:relative" role=list><div style="height:1200px"></div></div><script>const have = new Set(); const draw = () => { const i = Math.floor(v.scrollTop / 24); const show = () => { v.querySelectorAll('[role=listitem]').forEach((e) => e.remove()); for (let k = i; k < Math.min(50, i + 8); k++) v.insertAdjacentHTML('beforeend', '<div role=listitem style="position:absolute;height:24px;top:' + k * 24 + 'px">n' + k + '</div>') }; have.has(i) ? show() : get('/r', () => { have.add(i); show() }) }; v.onscroll = draw; draw()</script>`,
      "/r": late(120, ""),
    },
    task: "extract the list",
    right: givesRows(50),
  },
  {
    name: "a German count that is more than what is shown",
    pages: { "/": `<p>Zeige 1 bis 3 von 48</p><ul><li>A<li>B<li>C</ul>` },
    task: "extract the list",
    right: givesPart(/3 of 48/),
  },
  {
    name: "hits that are more than what is shown",
    pages: { "/": `<p>1,204 results</p><ul><li>A<li>B<li>C</ul>` },
    task: "extract the list from all pages",
    right: givesPart(/3 of 1204/),
  },
  {
    name: "a script of another site that fails",
    pages: { "/": `<button onclick="fetch('http://127.0.0.1:9/x').catch(() => {}); say('ok')">Continue</button>` },
    task: click,
    right: sends("ok"),
  },
  {
    name: "two alerts, one after the other, that all went well",
    pages: {
      "/": `<p role=alert id=out></p><button onclick="say('a'); out.textContent = 'Saved draft'; after(300, () => { out.textContent = 'Published' })">Continue</button>`,
    },
    task: click,
    right: tells(/Published/, "a"),
  },
];
