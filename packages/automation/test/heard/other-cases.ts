import { answer, fails, gives, late, sends, tells, type Case } from "./run-case.ts";

const thanks = answer(200, "<!doctype html><meta charset=utf-8><h1>Thank you</h1>");
const inText = (words: string): string =>
  `<p id=out></p><button onclick="out.textContent = '${words}'">Continue</button>`;
const inAlert = (words: string): string =>
  `<p role=alert id=out></p><button onclick="out.textContent = '${words}'">Continue</button>`;
const click = `click "Continue"`;

/** More of each kind, written after the rest had passed. */
export const otherCases: readonly Case[] = [
  ...[
    "Please choose a seat first.",
    "Your session has expired",
    "This e-mail address is already in use.",
    "You must accept the terms.",
    "Payment was not accepted",
    "There is a problem with your card",
    "Error: quota exceeded",
  ].flatMap((words): Case[] => [
    {
      name: `a plain text: ${words}`,
      pages: { "/": inText(words) },
      task: click,
      right: fails(new RegExp(words.slice(0, 12))),
    },
    {
      name: `an alert: ${words}`,
      pages: { "/": inAlert(words) },
      task: click,
      right: fails(new RegExp(words.slice(0, 12))),
    },
  ]),
  ...[
    "Bitte wählen Sie einen Platz",
    "Veuillez choisir une date",
    "La sesión ha caducado",
    "Si è verificato un errore",
    "Er is een fout opgetreden",
    "Ocorreu um erro",
    "Wystąpił błąd",
    "Произошла ошибка",
    "エラーが発生しました",
    "出现错误，请重试",
    "오류가 발생했습니다",
  ].map((words): Case => ({
    name: `an alert: ${words}`,
    pages: { "/": inAlert(words) },
    task: click,
    right: fails(new RegExp(words.slice(0, 5))),
  })),
  ...[
    "Saved",
    "Your order was placed",
    "3 items added to your basket",
    "Gespeichert",
    "Votre message a été envoyé",
    "No problems found",
    "Changes saved. Undo",
    "You are subscribed; you can cancel any time",
    "Copied",
    "Page 2 of 5",
  ].map((words): Case => ({
    name: `an alert that is none: ${words}`,
    pages: {
      "/": `<p role=alert id=out></p><button onclick="say('x'); out.textContent = '${words}'">Continue</button>`,
    },
    task: click,
    right: tells(new RegExp(words.slice(0, 4)), "x"),
  })),
  {
    name: "a next step that asks for something",
    pages: {
      "/": `<div id=s><button onclick="s.innerHTML = two.innerHTML">Continue</button></div><template id=two><p>Please choose a seat.</p><button onclick="say('4a')">4A</button></template>`,
    },
    task: `${click}, click "4A"`,
    right: sends("4a"),
  },
  {
    name: "a region that holds the whole page",
    pages: {
      "/": `<div aria-live=polite id=s><button onclick="s.innerHTML = two.innerHTML">Continue</button></div><template id=two><h1>Details</h1><p>All fields are required.</p><label>Name <input id=n></label><button onclick="say(n.value)">Send</button></template>`,
    },
    task: `${click}, fill "Name" with "Ada", click "Send"`,
    right: sends("Ada"),
  },
  {
    name: "a second page of a form with a hint",
    pages: {
      "/": `<form method=post action=/two><label>Name <input name=n></label><button>Continue</button></form>`,
      "/two": answer(
        200,
        `<!doctype html><meta charset=utf-8><p class="alert alert-info" role=status>Fields marked with a star are required.</p><form method=post action=/send><label>City <input name=c></label><button>Send</button></form>`,
      ),
      "/send": thanks,
    },
    task: `fill "Name" with "Ada", ${click}, fill "City" with "Rome", click "Send"`,
    right: sends("n=Ada", "c=Rome"),
  },
  {
    name: "an error of a field beside it",
    pages: {
      "/": `<form onsubmit="event.preventDefault(); g.classList.add('has-error'); e.textContent = 'Too short'"><div id=g class=form-group><label>Nick <input id=n></label><span id=e></span></div><button>Continue</button></form>`,
    },
    task: `fill "Nick" with "x", ${click}`,
    right: fails(/Too short/),
  },
  {
    name: "a button that says Saving… for 3.5 s, then sends",
    pages: {
      "/": `<button onclick="this.textContent = 'Saving…'; after(3500, () => { this.textContent = 'Saved'; say('saved') })">Continue</button>`,
    },
    task: click,
    right: sends("saved"),
  },
  {
    name: "a part that is busy for 3.5 s before it sends",
    pages: {
      "/": `<div id=b><button onclick="b.setAttribute('aria-busy', 'true'); after(3500, () => { b.removeAttribute('aria-busy'); say('saved') })">Continue</button></div>`,
    },
    task: click,
    right: sends("saved"),
  },
  {
    name: "a button that stays at Sending…",
    pages: { "/": `<button onclick="this.textContent = 'Sending…'">Continue</button>` },
    task: click,
    right: fails(/Sending…/),
  },
  {
    name: "a slow document after the last click",
    pages: {
      "/": `<form method=post action=/send><label>Name <input name=n></label><button>Continue</button></form>`,
      "/send": (request, response, say) =>
        void setTimeout(() => {
          say("stored");
          request.resume();
          response.end("ok");
        }, 4000),
    },
    task: `fill "Name" with "Ada", ${click}`,
    right: sends("stored"),
  },
  {
    name: "a document that never comes",
    pages: {
      "/": `<form method=post action=/send><label>Name <input name=n></label><button>Continue</button></form>`,
      "/send": () => {},
    },
    task: `fill "Name" with "Ada", ${click}`,
    right: fails(/\/send had not been answered|timed out/),
  },
  {
    name: "a connection that breaks",
    pages: { "/": "<a href=/broken>Continue</a>", "/broken": (request) => void request.socket.destroy() },
    task: click,
    right: fails(/ERR_/),
  },
  {
    name: "a chain of three requests",
    pages: {
      "/": `<button onclick="get('/a', () => after(200, () => get('/b', () => after(800, () => say('all')))))">Continue</button>`,
      "/a": late(900, ""),
      "/b": late(900, ""),
    },
    task: click,
    right: sends("all"),
  },
  {
    name: "a table that is renewed at once, and later once more",
    pages: {
      "/": `<button onclick="l.innerHTML = '<li>…'; get('/a', (t) => { l.innerHTML = t; after(600, () => get('/b', (u) => { l.innerHTML = u })) })">Continue</button><ul id=l><li>old</ul>`,
      "/a": late(800, "<li>half"),
      "/b": late(800, "<li>one<li>two"),
    },
    task: `${click}, extract the list`,
    right: gives(["one", "two"]),
  },
  {
    name: "data that is asked for by what has the name Loading",
    pages: { "/": "<table><tr><th>Ship<th>State</tr><tr><td>Alba<td>Loading</tr><tr><td>Bora<td>At sea</tr></table>" },
    task: "extract the table",
    right: gives([
      { Ship: "Alba", State: "Loading" },
      { Ship: "Bora", State: "At sea" },
    ]),
  },
  {
    name: "columns that have no value",
    pages: { "/": "<table><tr><th>Ship<th>Berth</tr><tr><td>Alba<td>–</tr></table>" },
    task: "extract the table",
    right: gives([{ Ship: "Alba", Berth: "–" }]),
  },
  {
    name: "a field that is drawn anew without its value",
    pages: {
      "/": `<div id=f><label>City <input></label></div><label>Kind <select onchange="get('/k', () => { f.innerHTML = '<label>City <input></label>' })"><option>A<option>B</select></label><button onclick="say(f.querySelector('input').value)">Continue</button>`,
      "/k": late(400, ""),
    },
    task: `fill "City" with "Rome", select "B" from "Kind", ${click}`,
    right: fails(/City/, []),
  },
  {
    name: "a field that is drawn anew with its value",
    pages: {
      "/": `<div id=f><label>City <input></label></div><label>Kind <select onchange="const v = f.querySelector('input').value; f.innerHTML = '<label>City <input></label>'; f.querySelector('input').value = v"><option>A<option>B</select></label><button onclick="say(f.querySelector('input').value)">Continue</button>`,
    },
    task: `fill "City" with "Rome", select "B" from "Kind", ${click}`,
    right: sends("Rome"),
  },
  {
    name: "quotation marks that are made round",
    pages: {
      "/": `<div contenteditable role=textbox aria-label=Note id=n oninput="if (/--/.test(n.innerText)) n.innerText = n.innerText.replace('--', '–')"></div><button onclick="say(n.innerText.trim())">Continue</button>`,
    },
    task: `fill "Note" with "a-b", ${click}`,
    right: sends("a-b"),
  },
  {
    name: "a switch that turns back",
    pages: {
      "/": `<button role=switch aria-checked=false aria-label=Alarm onclick="this.setAttribute('aria-checked', 'true'); after(400, () => this.setAttribute('aria-checked', 'false'))"></button><button onclick="say('go')">Continue</button>`,
    },
    task: `check "Alarm", ${click}`,
    right: fails(/Alarm/, []),
  },
  {
    name: "a percentage that is cut to a hundred",
    pages: {
      "/": `<label>Share <input id=v oninput="if (Number(v.value) > 100) v.value = '100'"></label><button onclick="say(v.value)">Continue</button>`,
    },
    task: `fill "Share" with "250", ${click}`,
    right: fails(/100/, []),
  },
];
