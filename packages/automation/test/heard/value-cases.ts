import { answer, fails, sends, type Case } from "./run-case.ts";

const order = `<button onclick="say(v.value)">Order</button>`;
const onPage = (field: string): Case["pages"] => ({ "/": field + order });
const text = (handler: string): string => `<label>Item <input id=v ${handler}></label>`;
const list = (handler: string): string =>
  `<label>Size <select id=v ${handler}><option>S<option>M<option>L</select></label>`;
const box = (handler: string): string =>
  `<label><input type=checkbox id=c ${handler}> News</label><button onclick="say(String(c.checked))">Save</button>`;
const filled = (value: string): string => `fill "Item" with "${value}", click "Order"`;

/** Fields and boxes that the page changes after they were set. */
export const valueCases: readonly Case[] = [
  {
    name: "a limit of characters",
    pages: onPage(text("maxlength=4")),
    task: filled("SUMMER27"),
    right: fails(/holds "SUMM"/, []),
  },
  {
    name: "letters that a field drops",
    pages: onPage(text(`oninput="v.value = v.value.replace(/[0-9]/g, '')"`)),
    task: filled("Gate 12"),
    right: fails(/holds "Gate ?"/, []),
  },
  {
    name: "a field that is emptied when it loses the focus",
    pages: onPage(text(`onblur="v.value = ''"`)),
    task: filled("Tea"),
    right: fails(/holds ""/, []),
  },
  {
    name: "a field that is reset a moment later",
    pages: onPage(text(`oninput="after(600, () => { v.value = 'Coffee' })"`)),
    task: filled("Tea"),
    right: fails(/Coffee/, []),
  },
  {
    name: "a number that is brought into a range",
    pages: onPage(`<label>Item <input id=v type=number onchange="v.value = Math.min(v.value, 9)"></label>`),
    task: filled("12"),
    right: fails(/holds "9"/, []),
  },
  {
    name: "a minus that is lost",
    pages: onPage(text(`oninput="v.value = v.value.replace('-', '')"`)),
    task: filled("-5"),
    right: fails(/holds "5"/, []),
  },
  {
    name: "a fraction that is rounded",
    pages: onPage(text(`onchange="v.value = Math.round(v.value)"`)),
    task: filled("2.5"),
    right: fails(/holds "3"/, []),
  },
  {
    name: "a decimal point that is dropped",
    pages: onPage(text(`oninput="v.value = v.value.replace('.', '')"`)),
    task: filled("12.5"),
    right: fails(/holds "125"/, []),
  },
  {
    name: "signs that are dropped from a word",
    pages: onPage(text(`oninput="v.value = v.value.replace(/[+]/g, '')"`)),
    task: filled("C++"),
    right: fails(/holds "C"/, []),
  },
  {
    name: "a value that is put back before a native form is sent",
    pages: {
      "/": `<form method=post action=/send><label>Item <input id=v name=v onchange="v.value = 'old'"></label><button>Order</button></form>`,
      "/send": answer(200, "ok"),
    },
    task: filled("new"),
    right: fails(/holds "old"/, []),
  },
  {
    name: "a value that is put back while the last step settles",
    pages: onPage(text(`onchange="after(500, () => { v.value = 'none' })"`)),
    task: `fill "Item" with "Tea"`,
    right: fails(/none/),
  },
  {
    name: "the earlier of two fields is emptied by the later one",
    pages: {
      "/": `<label>City <input id=a></label><label>Zip <input oninput="a.value = ''"></label><button onclick="say(a.value)">Order</button>`,
    },
    task: `fill "City" with "Rome", fill "Zip" with "00100", click "Order"`,
    right: fails(/City/, []),
  },
  {
    name: "a list that goes back",
    pages: onPage(list(`onchange="after(50, () => { v.value = 'S' })"`)),
    task: `select "L" from "Size", click "Order"`,
    right: fails(/holds "S"/, []),
  },
  {
    name: "a list that the page sets after a request",
    pages: {
      ...onPage(list(`onchange="get('/stock', () => { v.selectedIndex = 1 })"`)),
      "/stock": (_, response) => void setTimeout(() => response.end("M"), 700),
    },
    task: `select "L" from "Size", click "Order"`,
    right: fails(/holds "M"/, []),
  },
  {
    name: "a box that checks itself again",
    pages: { "/": box(`checked onchange="after(300, () => { c.checked = true })"`) },
    task: `uncheck "News", click "Save"`,
    right: fails(/checked again/, []),
  },
  {
    name: "a box that does not stay checked",
    pages: { "/": box(`onchange="get('/x', () => { c.checked = false })"`) },
    task: `check "News", click "Save"`,
    right: fails(/unchecked again|did not change/, []),
  },
  // Only written otherwise, or changed by what was asked for:
  {
    name: "capitals",
    pages: onPage(text(`oninput="v.value = v.value.toUpperCase()"`)),
    task: filled("tea 2"),
    right: sends("TEA 2"),
  },
  {
    name: "groups of a card number",
    pages: onPage(text(`oninput="v.value = v.value.replace(/(.{4})(?=.)/g, '$1 ')"`)),
    task: filled("4111222233334444"),
    right: sends("4111 2222 3333 4444"),
  },
  {
    name: "groups of thousands",
    pages: onPage(text(`onblur="v.value = Number(v.value).toLocaleString('en')"`)),
    task: filled("12500"),
    right: sends("12,500"),
  },
  {
    name: "an amount with its currency",
    pages: onPage(text(`onchange="v.value = '$' + Number(v.value).toFixed(2)"`)),
    task: filled("12.5"),
    right: sends("$12.50"),
  },
  {
    name: "white space at the ends",
    pages: onPage(text(`onchange="v.value = v.value.trim()"`)),
    task: filled(" Tea "),
    right: sends("Tea"),
  },
  {
    name: "a date in another order",
    pages: onPage(text(`onchange="v.value = v.value.split('-').reverse().join('.')"`)),
    task: filled("2026-11-26"),
    right: sends("26.11.2026"),
  },
  {
    name: "a suggestion that is taken",
    pages: {
      "/": `<label>City <input id=v oninput="l.hidden = false"></label><div id=l hidden><button type=button onmousedown="v.value = 'Bergamo'; l.hidden = true" onclick="">Bergamo</button></div>${order}`,
    },
    task: `fill "City" with "Berg", click "Bergamo", click "Order"`,
    right: ({ end, messages }) => end === "done" && messages.join("|") === "Bergamo",
  },
  {
    name: "a counter that is clicked after it was filled",
    pages: {
      "/": `<label>Count <input id=v></label><button onclick="v.value = Number(v.value) + 1">Plus one</button>${order}`,
    },
    task: `fill "Count" with "2", click "Plus one", click "Order"`,
    right: sends("3"),
  },
  {
    name: "a field that is filled twice",
    pages: onPage(text("")),
    task: `fill "Item" with "Tea", fill "Item" with "Coffee", click "Order"`,
    right: sends("Coffee"),
  },
  {
    name: "a box that belongs to all others",
    pages: {
      "/": `<label><input type=checkbox id=every onchange="one.checked = every.checked"> All</label><label><input type=checkbox id=one onchange="every.checked = false"> One</label><button onclick="say(one.checked + ' ' + every.checked)">Save</button>`,
    },
    task: `check "All", uncheck "One", click "Save"`,
    right: sends("false false"),
  },
  {
    name: "a choice of several",
    pages: {
      "/": `<label><input type=radio name=r value=a> Bus</label><label><input type=radio name=r value=b> Train</label><button onclick="say(document.querySelector(':checked').value)">Save</button>`,
    },
    task: `check "Bus", check "Train", click "Save"`,
    right: sends("b"),
  },
  {
    name: "a form that empties itself once it is sent",
    pages: {
      "/": `<form onsubmit="event.preventDefault(); say(v.value); v.value = ''"><label>Item <input id=v></label><button>Order</button></form>`,
    },
    task: filled("Tea"),
    right: sends("Tea"),
  },
  ...(
    [
      [
        "a slider between two steps",
        "type=range min=0 max=100 step=10 value=20",
        "55",
        /from 0 to 100 in steps of 10; the nearest are 50 and 60/,
      ],
      ["a slider of fractions", "type=range min=0.5 max=2 step=0.25", "0.8", /the nearest are 0.75 and 1/],
      ["a slider beyond its end", "type=range max=60 step=25", "58", /the nearest is 50/],
      ["a slider and a word", "type=range", "high", /numbers from 0 to 100(?!.*date)/],
      ["a date in another form", "type=date", "31.12.2026", /a date is 2026-11-21\)/],
      ["a time in another form", "type=time", "2pm", /a time is 14:30\)/],
      ["a color in a word", "type=color", "red", /this color is #ff0000/],
    ] as const
  ).map(([name, attributes, value, words]): Case => ({
    name,
    pages: onPage(`<label>Item <input id=v ${attributes} oninput="say(v.value)" onchange="say(v.value)"></label>`),
    task: filled(value),
    right: fails(words, []),
  })),
  {
    name: "a slider at a step",
    pages: onPage(`<label>Item <input id=v type=range step=10></label>`),
    task: filled("60"),
    right: sends("60"),
  },
];
