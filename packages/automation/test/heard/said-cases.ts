import { answer, fails, late, sends, tells, type Case } from "./run-case.ts";

const form = (fields: string, button = "Save"): string =>
  `<form method=post action=/send>${fields}<button>${button}</button></form>`;
const name = "<label>Name <input name=name></label>";
const fill = `fill "Name" with "Ada"`;

/** Pages that say, in one way or another, that what was done did not work; or that it did. */
export const saidCases: readonly Case[] = [
  {
    name: "a form that is answered with 500",
    pages: { "/": form(name), "/send": answer(500, "<h1>It broke</h1>") },
    task: `${fill}, click "Save"`,
    right: fails(/500.*It broke/),
  },
  {
    name: "a form that is answered with 422",
    pages: { "/": form(name), "/send": answer(422, "<p>Name is not unique</p>") },
    task: `${fill}, submit the form`,
    right: fails(/422/),
  },
  {
    name: "a form that is sent by Enter and answered with 403",
    pages: { "/": form(name), "/send": answer(403, "Not for you") },
    task: `${fill}, press Enter`,
    right: fails(/403/),
  },
  {
    name: "a link to a page that is gone",
    pages: { "/": "<a href=/gone>Report</a>", "/gone": answer(410, "<h1>Gone for good</h1>") },
    task: `click "Report"`,
    right: fails(/410.*Gone for good/),
  },
  {
    name: "a redirect that ends in 404",
    pages: { "/": form(name), "/send": answer(303, "", "/missing") },
    task: `${fill}, click "Save"`,
    right: fails(/404/),
  },
  {
    name: "a script that leads to a page with 503",
    pages: {
      "/": `<button onclick="after(300, () => location = '/busy')">Go on</button>`,
      "/busy": answer(503, "Come back later"),
    },
    task: `click "Go on"`,
    right: fails(/503/),
  },
  {
    name: "an alert after a refused request",
    pages: {
      "/": `<button onclick="fetch('/book', { method: 'POST' }).then(async (a) => { out.textContent = await a.text() })">Reserve</button><p role=alert id=out></p>`,
      "/book": late(200, "Not reserved: seat 4 has gone to somebody else", 409),
    },
    task: `click "Reserve"`,
    right: fails(/seat 4 has gone/),
  },
  {
    name: "an alert whose words are unknown, after a request that failed",
    pages: {
      "/": `<button onclick="fetch('/book', { method: 'POST' }).then((a) => { if (!a.ok) out.textContent = 'Hm. That was one too many.' })">Reserve</button><p role=alert id=out></p>`,
      "/book": late(100, "", 400),
    },
    task: `click "Reserve"`,
    right: fails(/one too many/),
  },
  {
    name: "a live region that says so",
    pages: {
      "/": `<button onclick="after(200, () => { out.textContent = 'Your changes could not be stored.' })">Save</button><div aria-live=polite id=out></div>`,
    },
    task: `click "Save"`,
    right: fails(/could not be stored/),
  },
  {
    name: "a toast that has gone again",
    pages: {
      "/": `<button onclick="const t = document.createElement('div'); t.setAttribute('role', 'alert'); t.textContent = 'Upload failed'; document.body.append(t); after(150, () => t.remove())">Send it</button>`,
    },
    task: `click "Send it"`,
    right: fails(/Upload failed/),
  },
  {
    name: "an alert in German",
    pages: {
      "/": `<button onclick="out.textContent = 'Die Bestellung konnte nicht gespeichert werden.'">Bestellen</button><p role=alert id=out></p>`,
    },
    task: `click "Bestellen"`,
    right: fails(/konnte nicht/),
  },
  {
    name: "an alert in Spanish that asks for something",
    pages: { "/": `<button onclick="out.textContent = 'No se pudo enviar'">Enviar</button><p role=alert id=out></p>` },
    task: `click "Enviar"`,
    right: fails(/No se pudo/),
  },
  {
    name: "an alert in Japanese",
    pages: { "/": `<button onclick="out.textContent = '送信に失敗しました'">送信</button><p role=alert id=out></p>` },
    task: `click "送信"`,
    right: fails(/失敗/),
  },
  {
    name: "a message without a role, by its class",
    pages: {
      "/": `<button onclick="out.hidden = false">Save</button><p class="error-box" id=out hidden>The name is already taken</p>`,
    },
    task: `click "Save"`,
    right: fails(/already taken/),
  },
  {
    name: "a plain text that says so",
    pages: {
      "/": `<button onclick="out.textContent = 'Sorry, your card was declined.'">Pay now</button><p id=out></p>`,
    },
    task: `click "Pay now"`,
    right: fails(/card was declined/),
  },
  {
    name: "a dialog that says so",
    pages: { "/": `<button onclick="after(300, () => alert('Could not send the letter'))">Send letter</button>` },
    task: `click "Send letter"`,
    right: fails(/Could not send/),
  },
  {
    name: "a field that becomes invalid",
    pages: {
      "/": `<label>Zip <input id=z aria-describedby=why></label><p id=why></p><button onclick="z.setAttribute('aria-invalid', 'true'); why.textContent = 'Five digits'">Next step</button>`,
    },
    task: `fill "Zip" with "12", click "Next step"`,
    right: fails(/Zip: Five digits/),
  },
  {
    name: "a value that does not fit the pattern of its field",
    pages: { "/": form(`<label>Code <input name=code pattern="[A-Z]{3}"></label>`), "/send": answer(200, "ok") },
    task: `fill "Code" with "12", click "Save"`,
    right: fails(/invalid/, []),
  },
  {
    name: "a log-in that leads to a page that says it failed",
    pages: {
      "/": `<form method=post action=/in><label>E-mail <input name=user type=email></label><label>Password <input type=password name=pw></label><button>Sign in</button></form>`,
      "/in": answer(200, "<!doctype html><p role=alert>Sign-in failed. This account is locked.</p>"),
    },
    task: `log in as "ada@example.com" with password "pw 1 abc"`,
    right: fails(/account is locked/),
  },
  {
    name: "a seat that goes a second after the click",
    pages: {
      "/": `<button onclick="after(1200, () => { out.textContent = 'Seat 7 is no longer available' })">Take seat 7</button><p role=alert id=out></p>`,
    },
    task: `click "Take seat 7"`,
    right: fails(/no longer available/),
  },
  {
    name: "a page that says so before the next step acts",
    pages: {
      "/": `<button onclick="after(900, () => { out.textContent = 'The date could not be changed' })">Change date</button><button onclick="say('paid')">Pay</button><p role=alert id=out></p>`,
    },
    task: `click "Change date", click "Pay"`,
    right: fails(/could not be changed/, []),
  },
  {
    name: "a form in a frame that is answered with 500",
    pages: {
      "/": `<form method=post action=/send target=f>${name}<button>Save</button></form><iframe name=f></iframe>`,
      "/send": answer(500, "no"),
    },
    task: `${fill}, click "Save"`,
    right: fails(/500/),
  },
  {
    name: "a confirmation that nobody can give",
    pages: {
      "/": `<button onclick="after(200, () => { if (confirm('Delete it all?')) say('deleted') })">Delete all</button>`,
    },
    task: `click "Delete all"`,
    right: fails(/Delete it all\?/, []),
  },
  // All went well:
  {
    name: "an alert that says that all went well",
    pages: {
      "/": `<button onclick="say('saved'); out.textContent = 'Saved without errors.'">Save</button><p role=alert id=out></p>`,
    },
    task: `click "Save"`,
    right: tells(/Saved without errors/, "saved"),
  },
  {
    name: "a success that asks for nothing more",
    pages: {
      "/": `<button onclick="say('sent'); out.textContent = 'Thank you. Your message was sent; please check your mail if you do not hear from us.'">Send</button><p role=status id=out></p>`,
    },
    task: `click "Send"`,
    right: tells(/Your message was sent/, "sent"),
  },
  {
    name: "an alert that stood there before",
    pages: {
      "/": `<p role=alert>Payments failed yesterday for some customers.</p><button onclick="say('ok')">Go on</button>`,
    },
    task: `click "Go on"`,
    right: sends("ok"),
  },
  {
    name: "a page of help about errors, by a link",
    pages: {
      "/": `<a href=/help>Help</a>`,
      "/help": `<h1>Errors, and what failed</h1><p role=alert>Error 12 is unavailable.</p><button onclick="say('read')">Got it</button>`,
    },
    task: `click "Help", click "Got it"`,
    right: sends("read"),
  },
  {
    name: "an image and a script of statistics that fail",
    pages: {
      "/": `<button onclick="new Image().src = '/pixel'; navigator.sendBeacon('/beat', 'x'); say('done')">Finish</button>`,
      "/pixel": late(0, "", 500),
      "/beat": late(0, "", 500),
    },
    task: `click "Finish"`,
    right: tells(/\/(?:pixel|beat).*500/, "done"),
  },
  {
    name: "a request of the page's own that fails again and again",
    pages: {
      "/": `<script>setInterval(() => fetch('/poll'), 150)</script><button onclick="say('go')">Go</button>`,
      "/poll": late(0, "", 500),
    },
    task: `wait 1 s, click "Go"`,
    right: sends("go"),
  },
  {
    name: "a list with a row about an error",
    pages: {
      "/": `<button onclick="say('log'); out.innerHTML = '<li>Error 500: disk failed</li><li>Restarted</li><li>Error 12</li>'.repeat(4)">Show log</button><ul id=out></ul>`,
    },
    task: `click "Show log"`,
    right: sends("log"),
  },
  {
    name: "a field that is invalid until it is filled",
    pages: {
      "/": form(
        `<label>Mail <input type=email required name=mail oninput="this.setAttribute('aria-invalid', String(!this.validity.valid))"></label>`,
      ),
      "/send": answer(200, "<h1>Thanks</h1>"),
    },
    task: `fill "Mail" with "ada@example.com", click "Save"`,
    right: sends("mail=ada@example.com"),
  },
  {
    name: "a password whose strength is told while it is typed",
    pages: {
      "/": form(
        `<label>New password <input type=password name=p oninput="s.textContent = 'Too short? Add a few more characters'"></label><p aria-live=polite id=s></p>`,
      ),
      "/send": answer(200, "<h1>Welcome</h1>"),
    },
    task: `fill "New password" with "horse battery", click "Save"`,
    right: sends("p=horse battery"),
  },
];
