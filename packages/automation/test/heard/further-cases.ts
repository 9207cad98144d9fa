import { answer, fails, gives, givesPart, late, sends, tells, type Case } from "./run-case.ts";

const items = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `<li>Item ${from + index}</li>`).join("");
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `Item ${index + 1}`);
const says = (role: string, text: string): Case["pages"] => ({
  "/": `<button onclick="o.textContent='${text}'">Save</button><div id=o role=${role}></div>`,
});
const posts = (shown: string): string =>
  `<button onclick="fetch('/save',{method:'POST'}).then(async r=>{${shown}})">Save</button><p id=o></p>`;
const plan = (options: string): Case["pages"] => ({
  "/": `<span id=lb>Plan</span><button aria-labelledby="lb cur" aria-haspopup=listbox onclick="after(300,()=>{l.hidden=false})"><span id=cur>Basic</span></button><ul role=listbox id=l aria-labelledby=lb hidden>${options}</ul><button onclick="say(cur.textContent)">Buy</button>`,
});
const option = (name: string): string =>
  `<li role=option onclick="cur.textContent=this.textContent;l.hidden=true">${name}</li>`;
const logIn = `<h1>Sign in</h1><form><label>Email <input></label><label>Password <input type=password></label></form>`;
const all = `extract the list from all pages`;

/** What an outside judge found: each was done and not true, or refused, before. */
export const furtherCases: readonly Case[] = [
  ...[
    ["Hebrew", "השמירה נכשלה"],
    ["Thai", "บันทึกไม่สำเร็จ"],
    ["Vietnamese", "Lưu thất bại"],
    ["Greek", "Η αποθήκευση απέτυχε"],
    ["Czech", "Uložení se nezdařilo"],
    ["Hungarian", "A mentés sikertelen"],
    ["Persian", "ذخیره ناموفق بود"],
    ["Hindi", "सहेजना विफल रहा"],
    ["Indonesian", "Gagal menyimpan"],
    ["Danish", "Det mislykkedes"],
  ].map(([language = "", text = ""]): Case => ({
    name: `a failure in ${language}`,
    pages: says("alert", text),
    task: `click "Save"`,
    right: fails(new RegExp(text, "u"), []),
  })),
  ...[
    ["Vietnamese", "Đã lưu thành công"],
    ["Thai", "บันทึกแล้ว"],
    ["Hebrew", "נשמר"],
    ["Greek", "Αποθηκεύτηκε"],
  ].map(([language = "", text = ""]): Case => ({
    name: `a success in ${language}`,
    pages: says("status", text),
    task: `click "Save"`,
    right: tells(new RegExp(text, "u")),
  })),
  {
    name: "the words of an answer with 422, in a text without a role",
    pages: { "/": posts("o.textContent=(await r.json()).why"), "/save": late(0, `{"why":"Mail is on the list"}`, 422) },
    task: `click "Save"`,
    right: fails(/Mail is on the list/, []),
  },
  {
    name: "an answer with 422 that the page makes up for",
    pages: { "/": posts("o.textContent='Saved on this device'"), "/save": late(0, "", 422) },
    task: `click "Save"`,
    right: tells(/422/),
  },
  {
    name: "a form that is answered with a log-in",
    pages: {
      "/": `<form method=post action=/pay><button>Pay</button></form>`,
      "/pay": answer(303, "", "/login"),
      "/login": logIn,
    },
    task: `click "Pay"`,
    right: tells(/log-in/, "POST /pay"),
  },
  {
    name: "a link to the log-in, which is where it leads",
    pages: { "/": `<a href=/login>Sign in</a>`, "/login": logIn },
    task: `click "Sign in"`,
    right: ({ end, report }) => end === "done" && !/was led to/.test(report),
  },
  {
    name: "more that fails midway",
    pages: {
      "/": `<ul id=l>${items(1, 5)}</ul><button onclick="fetch('/more?'+n++).then(async r=>{if(r.ok)l.insertAdjacentHTML('beforeend',await r.text())})">Load more</button><script>var n=1</script>`,
      "/more": (request, response) => {
        const isFirst = request.url === "/more?1";
        response.writeHead(isFirst ? 200 : 503).end(isFirst ? items(6, 10) : "");
      },
    },
    task: all,
    right: givesPart(/This is a part: 10 .* could not be read: GET .*503/),
  },
  {
    name: "page 1 of 7, and no way on",
    pages: { "/": `<ul>${items(1, 4)}</ul><span>Page 1 of 7</span>` },
    task: all,
    right: givesPart(/This is a part: 4 .*Page 1 of 7/),
  },
  {
    name: "1 / 3 in a pager, and no way on",
    pages: { "/": `<ul>${items(1, 4)}</ul><div class=pagination>1 / 3</div>` },
    task: `extract the list`,
    right: givesPart(/This is a part: 4 .*1 \/ 3/),
  },
  ...[
    ["over 1,000 results", "<p>Over 1,000 results</p>", "Over 1,000 results"],
    ["1-4 of 50 and more", "<p>1-4 of 50+</p>", "1-4 of 50+"],
    ["4 of about 90 items", "<p>4 of about 90 items</p>", "4 of about 90 items"],
    ["12 more items", "<p>… and 12 more items</p>", "… and 12 more items"],
  ].map(([title = "", line = "", words = ""]): Case => ({
    name: `${title}, in words only`,
    pages: { "/": `<ul>${items(1, 4)}</ul>${line}` },
    task: `extract the list`,
    right: givesPart(new RegExp(`This is a part: 4 items.*${words.replaceAll("+", String.raw`\+`)}`)),
  })),
  {
    name: "about as many as there are",
    pages: { "/": `<ul>${items(1, 4)}</ul><p>About 4 results</p>` },
    task: `extract the list`,
    right: (outcome) => gives(names(4))(outcome) && !/part/.test(outcome.report),
  },
  {
    name: "page 2 of 2 after both were read",
    pages: {
      "/": `<ul>${items(1, 2)}</ul><p>Seite 1 von 2</p><a href=/2>Weiter</a>`,
      "/2": `<ul>${items(3, 4)}</ul><p>Seite 2 von 2</p>`,
    },
    task: all,
    right: (outcome) => gives(names(4))(outcome) && !/part/.test(outcome.report),
  },
  ...[
    ["Catalan", "Següent"],
    ["Persian", "بعدی"],
    ["Croatian", "Sljedeća"],
    ["Kazakh", "Келесі"],
  ].map(([language = "", next = ""]): Case => ({
    name: `a next page in ${language}`,
    pages: { "/": `<ul>${items(1, 2)}</ul><a href=/2>${next} »</a>`, "/2": `<ul>${items(3, 4)}</ul>` },
    task: all,
    right: gives(names(4)),
  })),
  {
    name: "a button that opens a list of options",
    pages: plan(option("Pro Plus") + option("Pro")),
    task: `select "Pro" from "Plan", click "Buy"`,
    right: sends("Pro"),
  },
  {
    name: "a button that opens a list without the option",
    pages: plan(option("Pro Plus") + option("Team")),
    task: `select "Pro" from "Plan", click "Buy"`,
    right: fails(/no option "Pro"; there are "Pro Plus"/, []),
  },
];
