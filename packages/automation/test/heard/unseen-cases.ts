import { fails, sends, type Case } from "./run-case.ts";

const did = `onclick="say('did')"`;
const button = (style: string, around = ""): string =>
  `<div ${around} style="width:600px;position:relative">A file <button style="${style}" ${did}>Delete</button></div>`;
const box = `<label><input type=checkbox onchange="say('set')"> News</label>`;
const list = `<label>Size <select onchange="say('set')"><option>S<option>M</select></label>`;
const field = `<label>City <input oninput="say('set')"></label>`;
const modal = `<dialog id=d><p>Hello</p></dialog><script>d.showModal()</script>`;
const cover = `<div style="position:fixed;inset:0;background:#0008">Please wait for us</div>`;
const [press, check, choose, fill] = [
  'click "Delete"',
  'check "News"',
  'select "M" from "Size"',
  'fill "City" with "Rome"',
];

/** What a person can't see or reach. */
const unseen: readonly (readonly [name: string, page: string, task: string, words: RegExp])[] = [
  ["a transparent button", button("opacity:0"), press, /transparent/],
  ["a button in a transparent part", `<div style="opacity:0">${button("")}</div>`, press, /transparent/],
  ["a button that a filter makes transparent", button("filter:opacity(0)"), press, /transparent/],
  ["a text without color", button("color:transparent;background:none;border:0"), press, /transparent/],
  [
    "a button of one pixel",
    button("position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);border:0"),
    press,
    /covered/,
  ],
  ["a button that is clipped", button("clip-path:inset(50%)"), press, /covered/],
  ["a button that is moved out", button("transform:translateX(-5000px)"), press, /scrolled into view/],
  ["a button in a hidden part", `<div style="visibility:hidden">${button("")}</div>`, press, /no element/],
  ["a button in an inert part", `<div inert>${button("")}</div>`, press, /inert/],
  ["a button in a part without height", `<div style="height:0;overflow:hidden">${button("")}</div>`, press, /covered/],
  [
    "a transparent button that sends a form",
    `<form action=/x><label>City <input></label><button style="opacity:0">Send</button></form>`,
    `${fill}, submit the form`,
    /transparent/,
  ],
  ["a box in a transparent part", `<div style="opacity:0">${box}</div>`, check, /transparent/],
  ["a box outside of the page", `<div style="position:absolute;left:-9999px">${box}</div>`, check, /outside/],
  ["a box in an inert part", `<div inert>${box}</div>`, check, /inert/],
  ["a box beneath a cover", box + cover, check, /covered/],
  ["a box beneath a dialog", box + modal, check, /covered/],
  ["a list beneath a dialog", list + modal, choose, /covered/],
  ["a list in an inert part", `<div inert>${list}</div>`, choose, /inert/],
  ["a field beneath a dialog", field + modal, fill, /covered/],
  ["a field beneath a cover", field + cover, fill, /covered/],
  ["a field outside of the page", `<div style="position:absolute;left:-9999px">${field}</div>`, fill, /outside/],
  ["a transparent field", `<label>City <input style="opacity:0" oninput="say('set')"></label>`, fill, /transparent/],
];

const digits = `<i style="border:1px solid;width:36px;height:40px"></i>`.repeat(6);
const drawn = `<span style="display:inline-block;width:40px;height:20px;background:#ccc">`;

/** What a person can see, though its own element is transparent, or is so for a while. */
const visibilityRows: readonly (readonly [name: string, page: string, task: string, sent: string])[] = [
  ["a button that is faint", button("opacity:.4"), press, "did"],
  ["a text that is a button", `<div role=button tabindex=0 ${did}>Delete</div>`, press, "did"],
  [
    "a text of a gradient",
    button("background:linear-gradient(red,blue);background-clip:text;color:transparent;border:0"),
    press,
    "did",
  ],
  [
    "a button that appears slowly",
    `<style>@keyframes f{from{opacity:0}}button{animation:f .5s .6s both}</style>${button("")}`,
    press,
    "did",
  ],
  [
    "a button that appears under the pointer",
    `<style>button{opacity:0}div:hover button{opacity:1}</style>${button("")}`,
    press,
    "did",
  ],
  [
    "a button of a row that can be clicked only under the pointer",
    `<style>button{opacity:0;pointer-events:none}div:hover button{opacity:1;pointer-events:auto}</style>${button("")}`,
    press,
    "did",
  ],
  [
    "an item of a menu that appears under the pointer",
    `<style>li ul{opacity:0}li:hover ul{opacity:1}</style><ul><li>Files<ul><li><a href=#x ${did}>Delete</a></ul></ul>`,
    press,
    "did",
  ],
  [
    "a part that appears when it is scrolled to",
    `<style>p{opacity:0}p.in{opacity:1}</style><div style="height:3000px"></div><p><button ${did}>Delete</button><script>new IntersectionObserver(([one]) => one.target.classList.toggle("in", one.isIntersecting)).observe(document.querySelector("p"))</script>`,
    press,
    "did",
  ],
  [
    "a transparent link over a card that shows its name",
    `<div style="position:relative;width:200px;border:1px solid"><h3>Delete</h3><p>All of it</p><a href=# style="position:absolute;inset:0;opacity:0" aria-label=Delete ${did}></a></div>`,
    press,
    "did",
  ],
  [
    "a transparent file input over its button",
    `<div style="position:relative;width:120px;background:#eee">Delete<input type=file aria-label=Delete style="opacity:0;position:absolute;inset:0;width:100%" ${did}></div>`,
    press,
    "did",
  ],
  [
    "a transparent box over a drawn one",
    `<label>${drawn}<input type=checkbox style="opacity:0" onchange="say('set')"></span> News</label>`,
    check,
    "set",
  ],
  [
    "a transparent radio button of one pixel",
    `<label><input type=radio style="position:absolute;opacity:0;width:1px;height:1px" onchange="say('set')"><b>News</b></label>`,
    'choose "News"',
    "set",
  ],
  [
    "a transparent box without a label",
    `${drawn}<input type=checkbox aria-label=News style="opacity:0" onchange="say('set')"></span>`,
    check,
    "set",
  ],
  [
    "a transparent list over a drawn one",
    `<label>Size ${drawn}<select style="opacity:0" onchange="say('set')"><option>S<option>M</select></span></label>`,
    choose,
    "set",
  ],
  [
    "a transparent field over drawn digits",
    `<div style="position:relative;width:240px;display:flex">${digits}<input aria-label=City style="position:absolute;inset:0;opacity:0" oninput="say('set')"></div>`,
    fill,
    "set",
  ],
  [
    "a field beneath a cover that goes",
    `${field}<div id=w style="position:fixed;inset:0;background:#fff"></div><script>after(900, () => w.remove())</script>`,
    fill,
    "set",
  ],
];

/** What a person can't see is not used; what is drawn by something else is. */
export const unseenCases: readonly Case[] = [
  ...unseen.map(([name, page, task, words]): Case => ({
    name,
    pages: { "/": page },
    task,
    right: (outcome) => fails(words)(outcome) && !/did|set/.test(outcome.messages.join()),
  })),
  ...visibilityRows.map(([name, page, task, sent]): Case => ({ name, pages: { "/": page }, task, right: sends(sent) })),
];
