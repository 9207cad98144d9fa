import { answer, gives, late, sends, type Case } from "./run-case.ts";

const thanks = answer(200, "<h1>Thank you</h1>");

/** Tasks as people give them, on pages that do what they are asked. */
export const plainCases: readonly Case[] = [
  {
    name: "a contact form",
    pages: {
      "/": `<form method=post action=/send><label>Name <input name=n></label><label>Message <textarea name=m></textarea></label><button>Send</button></form>`,
      "/send": thanks,
    },
    task: `fill "Name" with "Ada", fill "Message" with "Hello there", click "Send"`,
    right: sends("n=Ada&m=Hello there"),
  },
  {
    name: "a form with a list and boxes",
    pages: {
      "/": `<form method=post action=/send><label>Tea <select name=t><option>Green<option>Black</select></label><label><input type=checkbox name=c value=1> Cup</label><label><input type=radio name=s value=s> Small</label><label><input type=radio name=s value=l> Large</label><button>Order</button></form>`,
      "/send": thanks,
    },
    task: `select "Black" from "Tea", check "Cup", check "Large", click "Order"`,
    right: sends("t=Black&c=1&s=l"),
  },
  {
    name: "a search that leads to results",
    pages: {
      "/": `<form action=/find><input type=search name=q aria-label=Search></form>`,
      "/find": "<ul><li>Kettle<li>Cup</ul>",
    },
    task: `search for "tea", extract the list`,
    right: gives(["Kettle", "Cup"]),
  },
  {
    name: "a redirect after a form",
    pages: {
      "/": `<form method=post action=/send><label>Name <input name=n></label><button>Send</button></form>`,
      "/send": answer(303, "", "/thanks"),
      "/thanks": "<h1>Done</h1>",
    },
    task: `fill "Name" with "Ada", click "Send"`,
    right: sends("n=Ada"),
  },
  {
    name: "a page of links",
    pages: {
      "/": "<a href=/a>Alpha</a>",
      "/a": "<h1>Alpha</h1><a href=/b>Beta</a>",
      "/b": `<button onclick="say('there')">Here</button>`,
    },
    task: `click "Alpha", click "Beta", click "Here"`,
    right: sends("there"),
  },
  {
    name: "a log-in by a form",
    pages: {
      "/": `<form method=post action=/in><label>User <input name=u autocomplete=username></label><label>Password <input type=password name=p></label><button>Log in</button></form>`,
      "/in": answer(303, "", "/home"),
      "/home": "<h1>Welcome</h1>",
    },
    task: `log in as "ada" with password "pass word 9"`,
    right: sends("u=ada&p=pass word 9"),
  },
  {
    name: "a shop with a toast",
    pages: {
      "/": `<button onclick="say('kettle'); document.body.insertAdjacentHTML('beforeend', '<div role=status>Added to the basket</div>')">Add kettle</button><button onclick="say('checkout')">Check out</button>`,
    },
    task: `click "Add kettle", click "Check out"`,
    right: sends("kettle", "checkout"),
  },
  {
    name: "a tab, and its table",
    pages: {
      "/": `<button role=tab onclick="p.hidden = false">Prices</button><div id=p hidden><table><tr><th>Tea<th>Price</tr><tr><td>Green<td>3</tr></table></div>`,
    },
    task: `click "Prices", extract the table`,
    right: gives([{ Tea: "Green", Price: "3" }]),
  },
  {
    name: "a dialog of the page",
    pages: {
      "/": `<button onclick="d.showModal()">Remove</button><dialog id=d><p>Really?</p><button onclick="say('removed'); d.close()">Yes, remove it</button></dialog>`,
    },
    task: `click "Remove", click "Yes, remove it"`,
    right: sends("removed"),
  },
  {
    name: "a list that comes by itself",
    pages: {
      "/": `<ul id=l></ul><script>get('/l', (t) => { l.innerHTML = t })</script>`,
      "/l": late(700, "<li>One<li>Two"),
    },
    task: "extract the list",
    right: gives(["One", "Two"]),
  },
  {
    name: "a popup",
    pages: { "/": `<a href=/p target=_blank>Print</a>`, "/p": `<button onclick="say('printed')">Print now</button>` },
    task: `click "Print", click "Print now"`,
    right: sends("printed"),
  },
  {
    name: "keys",
    pages: {
      "/": `<input aria-label=Chat autofocus onkeydown="if (event.key === 'Enter') { say(this.value); this.value = '' }">`,
    },
    task: `fill "Chat" with "hello", press Enter`,
    right: sends("hello"),
  },
  {
    name: "an editable text",
    pages: {
      "/": `<div contenteditable role=textbox aria-label=Note id=n></div><button onclick="say(n.innerText)">Keep</button>`,
    },
    task: `fill "Note" with "Buy milk", click "Keep"`,
    right: sends("Buy milk"),
  },
  {
    name: "a date",
    pages: { "/": `<label>Day <input type=date id=d></label><button onclick="say(d.value)">Book</button>` },
    task: `fill "Day" with "2026-12-24", click "Book"`,
    right: sends("2026-12-24"),
  },
  {
    name: "a slider",
    pages: {
      "/": `<label>Size <input type=range id=r max=10></label><button onclick="say(r.value)">Set size</button>`,
    },
    task: `fill "Size" with "7", click "Set size"`,
    right: sends("7"),
  },
  {
    name: "a list that the page draws",
    pages: {
      "/": `<button role=combobox aria-label=City aria-expanded=false id=b onclick="l.hidden = false">Choose</button><ul role=listbox id=l hidden><li role=option onclick="b.textContent = 'Rome'; l.hidden = true">Rome<li role=option>Oslo</ul><button onclick="say(b.textContent)">Go</button>`,
    },
    task: `select "Rome" from "City", click "Go"`,
    right: sends("Rome"),
  },
  {
    name: "a switch",
    pages: {
      "/": `<button role=switch aria-checked=false aria-label=Alarm onclick="this.setAttribute('aria-checked', 'true'); say('on')"></button>`,
    },
    task: `check "Alarm"`,
    right: sends("on"),
  },
  {
    name: "a field that formats a phone number",
    pages: {
      "/": `<label>Phone <input id=p oninput="p.value = p.value.replace(/\\D/g, '').replace(/(\\d{3})(\\d{3})(\\d+)/, '($1) $2-$3')"></label><button onclick="say(p.value)">Call</button>`,
    },
    task: `fill "Phone" with "5551234567", click "Call"`,
    right: sends("(555) 123-4567"),
  },
  {
    name: "a page in a frame",
    pages: {
      "/": "<iframe src=/f></iframe>",
      "/f": `<label>Name <input id=n></label><button onclick="say(n.value)">Save</button>`,
    },
    task: `fill "Name" with "Ada", click "Save"`,
    right: sends("Ada"),
  },
  {
    name: "a page with a carousel and a clock",
    pages: {
      "/": `<p id=c></p><script>const turn = () => { c.textContent = Math.random(); after(500, turn) }; turn()</script><label>Name <input id=n></label><button onclick="say(n.value)">Save</button>`,
    },
    task: `fill "Name" with "Ada", click "Save"`,
    right: sends("Ada"),
  },
  {
    name: "a page that keeps what is typed",
    pages: {
      "/": `<form onsubmit="event.preventDefault(); say('sent ' + m.value)"><label>Mail <input id=m oninput="localStorage.draft = m.value"></label><button>Subscribe</button></form>`,
    },
    task: `fill "Mail" with "a@b.example", click "Subscribe"`,
    right: sends("sent a@b.example"),
  },
  {
    name: "two pages of a table",
    pages: {
      "/": "<table><tr><th>N<th>M</tr><tr><td>1<td>a</tr></table><a href=/2>Next</a>",
      "/2": "<table><tr><th>N<th>M</tr><tr><td>2<td>b</tr></table>",
    },
    task: "extract the table from all pages",
    right: gives([
      { N: "1", M: "a" },
      { N: "2", M: "b" },
    ]),
  },
  {
    name: "back, and on",
    pages: { "/": `<a href=/a>Alpha</a><button onclick="say('home')">Home</button>`, "/a": "<h1>A</h1>" },
    task: `click "Alpha", go back, click "Home"`,
    right: sends("home"),
  },
  {
    name: "a hint that is not an error",
    pages: {
      "/": `<form method=post action=/send><label>Name <input name=n aria-describedby=h></label><p id=h class=error-hint hidden>Please enter a name</p><button>Send</button></form>`,
      "/send": thanks,
    },
    task: `fill "Name" with "Ada", click "Send"`,
    right: sends("n=Ada"),
  },
  {
    name: "an order with a number in it",
    pages: {
      "/": `<form method=post action=/send><label>Item <input name=i></label><button>Order</button></form>`,
      "/send": answer(
        200,
        "<h1>Order 500 placed</h1><p role=status>Order 500 is placed. You cannot change it any more.</p>",
      ),
    },
    task: `fill "Item" with "Tea", click "Order"`,
    right: sends("i=Tea"),
  },
  {
    name: "questions that unfold, with answers that deny",
    pages: {
      "/": `<button aria-expanded=false onclick="a.hidden = false">Pets?</button><p id=a hidden>Pets are not allowed, and you can't pay on board.</p><details><summary>Bikes?</summary>Bikes must be booked.</details><button onclick="say('booked')">Book</button>`,
    },
    task: `click "Pets?", click "Bikes?", click "Book"`,
    right: sends("booked"),
  },
  {
    name: "a table of failures, by a button",
    pages: {
      "/": `<button onclick="get('/t', (t) => { out.innerHTML = t })">Show failures</button><div id=out></div>`,
      "/t": late(200, "<table><tr><th>Job<th>State</tr><tr><td>7<td>Failed: disk error</tr></table>"),
    },
    task: `click "Show failures", extract the table`,
    right: gives([{ Job: "7", State: "Failed: disk error" }]),
  },
];
