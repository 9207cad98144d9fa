import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Act } from "../../src/acts/act.ts";
import type { PageEvent } from "../../src/acts/page-event.ts";
import { BrowserPool } from "../../src/pool/browser-pool.ts";
import type { PooledContext } from "../../src/pool/pooled-context.ts";

let pool: BrowserPool;
let site: Server;
let url = "";
let html = "";
let context: PooledContext;
let page: Page;
let events: PageEvent[] = [];

beforeAll(async () => {
  site = createServer((_, response) => response.setHeader("content-type", "text/html; charset=utf-8").end(html));
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  const address = site.address();
  url = `http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}/`;
  pool = await BrowserPool.start({});
  context = await pool.open({});
  context.watchPages((event) => event.kind !== "navigation-started" && events.push(event));
  page = await context.context.newPage();
});
afterAll(async () => {
  await pool?.close();
  site?.closeAllConnections();
  site?.close();
});
beforeEach(() => {
  events = [];
});

/** Opens a page with a last button, whose click is told after all that was done before. */
async function show(body: string): Promise<void> {
  html = `<!doctype html><title>t</title><body>${body}<hr><button id="last" type="button">That is all</button>`;
  await page.goto(url);
  events = [];
}

/** The acts until now. */
async function acts(): Promise<Act[]> {
  await page.locator("#last").click();
  return vi.waitFor(() => {
    const told = events.flatMap((event) => (event.kind === "act" && event.act.isGoingOn !== true ? [event.act] : []));
    if (told.at(-1)?.target?.name !== "That is all") throw new Error(JSON.stringify(told));
    return told.slice(0, -1);
  });
}

const clickable: readonly string[] = [
  `<button>Save</button>`,
  `<button aria-label="Close dialog">x</button>`,
  `<button><img alt="Add" src="x.png"> to basket</button>`,
  `<button><span aria-hidden="true">→</span><span>Next</span></button>`,
  `<button title="Settings"><svg width="9" height="9"></svg></button>`,
  `<a href="#a">Read <em>more</em></a>`,
  `<span id="n">Named elsewhere</span><button aria-labelledby="n">z</button>`,
  `<input type="submit">`,
  `<input type="button" value="Send it">`,
  `<input type="image" alt="Go there" src="x.png" style="width:20px;height:20px">`,
  `<div role="tab" tabindex="0">Details</div>`,
  `<ul role="menu"><li role="menuitem" tabindex="-1">Copy <kbd hidden>C</kbd></li></ul>`,
  `<label for="f">First name</label><input id="f">`,
  `<label>Last name <input></label>`,
  `<input placeholder="Search here" type="search">`,
  `<textarea aria-label="Your message">old text</textarea>`,
  `<input type="email" list="l" title="Mail"><datalist id="l"></datalist>`,
  `<div role="switch" aria-checked="false" tabindex="0">Dark mode</div>`,
  `<button>Straße &amp; Größe „neu“</button>`,
  `<button>  多
   行  </button>`,
  `<h2 tabindex="0">A heading</h2>`,
  `<table><tr><td tabindex="0">Cell text</td></tr></table>`,
  `<button><span style="display:block">One</span><span style="display:block">Two</span></button>`,
];

test.each(clickable)("Playwright's getByRole finds what was clicked by what is told of it: %s", async (body) => {
  await show(`<div id="here">${body}</div>`);
  const element = page.locator("#here :is(button, a, input, textarea, [tabindex]):not([aria-hidden])");
  await element.first().click({ noWaitAfter: true });
  const told = (await acts()).find(({ kind }) => kind === "click");
  const { role, name } = told?.target ?? {};
  expect(role).toBeTruthy();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a role that Playwright does not know is found nowhere
  const found = page.getByRole(role as "button", { name: name ?? "", exact: true });
  expect({ told, found: await found.count() }).toMatchObject({ found: 1 });
});

const secret = "n0t-T0-be-told 4111111111111111 123456";
const secretFields: readonly string[] = [
  `<input type="password">`,
  `<input autocomplete="current-password">`,
  `<input autocomplete="section-a new-password">`,
  `<input name="userPassword">`,
  `<input id="login_passwd">`,
  `<label>Kennwort <input></label>`,
  `<label>Mot de passe <input></label>`,
  `<label>Пароль <input></label>`,
  `<input placeholder="密码">`,
  `<input aria-label="パスワード">`,
  `<input style="-webkit-text-security: disc">`,
  `<input autocomplete="one-time-code">`,
  `<label>Verification code <input></label>`,
  `<label>Enter code <input></label>`,
  `<input name="otp">`,
  `<input name="totpCode">`,
  `<input aria-label="6-digit PIN">`,
  `<label>Code de vérification <input></label>`,
  `<label>Bestätigungscode <input></label>`,
  `<input autocomplete="cc-number">`,
  `<input autocomplete="billing cc-csc">`,
  `<input name="cardNumber">`,
  `<label>CVV <input></label>`,
  `<input placeholder="MM/YY">`,
  `<input name="api_key">`,
  `<textarea aria-label="Recovery phrase"></textarea>`,
  `<input name="client-secret">`,
  `<div contenteditable aria-label="Password" style="height:20px"></div>`,
];

test.each(secretFields)("what is typed into %s is not told", async (body) => {
  await show(`<div id="here">${body}</div>`);
  const field = page.locator("#here :is(input, textarea, [contenteditable])");
  await field.click();
  await page.keyboard.insertText(secret);
  await field.pressSequentially("ab1");
  const told = await acts();
  expect(told.find(({ kind }) => kind === "fill")).toMatchObject({ value: null, withheld: expect.any(String) });
  expect(JSON.stringify(events)).not.toMatch(/n0t|4111|123456|ab1/);
});

test.each([
  ["a card number in any field", `<label>Note <input></label>`, "4111 1111 1111 1111"],
  ["digits in a short field", `<label>Number <input maxlength="6"></label>`, "482913"],
  ["digits where the keyboard has only those", `<label>Enter it <input inputmode="numeric"></label>`, "482913"],
  ["a token", `<label>Note <input></label>`, "ghp_abcdefghijklmnopqrstuvwxyz"],
])("%s is known by what it is", async (_, body, value) => {
  await show(`<div id="here">${body}</div>`);
  await page.locator("#here input").fill(value);
  expect(await acts()).toMatchObject([{ kind: "fill", value: null }]);
  expect(JSON.stringify(events)).not.toContain(value);
});

test("a password stays one when it is shown, and when its field is made anew as one of text", async () => {
  await show(
    `<input type="password" name="field7"><button type="button" id="show" onclick="
      const old = document.querySelector('input'); const next = document.createElement('input');
      next.name = old.name; next.value = old.value; old.replaceWith(next)">Show</button>`,
  );
  await page.locator("input").pressSequentially("hunter2");
  await page.locator("#show").click();
  await page.locator("input").pressSequentially("9");
  const fills = (await acts()).filter(({ kind }) => kind === "fill");
  expect(fills.map(({ value }) => value)).toEqual([null, null]);
  expect(JSON.stringify(events)).not.toContain("hunter2");
});

test("what was typed when a document goes has been told", async () => {
  await show(`<label>Name <input></label>`);
  await page.getByLabel("Name").fill("Ada");
  await page.goto("about:blank");
  const typed = events.flatMap((event) => (event.kind === "act" ? [event.act] : []));
  expect(typed.at(-1)).toMatchObject({ kind: "fill", value: "Ada", target: { name: "Name" } });
});

test("the number of a card is told in no part of it that shows what it is", async () => {
  await show(`<label>Note <input></label>`);
  await page.locator("input").first().pressSequentially("4111 1111 1111 1111");
  await acts();
  expect(JSON.stringify(events)).not.toContain("4111 1111 1");
});

test("the keys of a PIN pad, and of fields of one character, are not told", async () => {
  await show(`<input type="password" readonly><button type="button">7</button><button type="button">3</button>
    ${'<input maxlength="1">'.repeat(4)}`);
  await page.getByRole("button", { name: "7" }).click();
  await page.getByRole("button", { name: "3" }).click();
  for (const [index, digit] of ["8", "1", "4", "6"].entries())
    await page.locator("input[maxlength]").nth(index).pressSequentially(digit);
  const told = await acts();
  expect(told.filter(({ kind }) => kind === "click").map(({ target }) => target?.name)).toEqual(["", ""]);
  expect(told.filter(({ kind }) => kind === "fill").map(({ value }) => value)).toEqual([null, null, null, null]);
});

test("characters that go into no field are counted, and not told", async () => {
  await show(`<canvas tabindex="0" width="50" height="50"></canvas>`);
  await page.locator("canvas").focus();
  await page.keyboard.type("secret");
  await page.keyboard.press("Enter");
  const told = await acts();
  expect(told).toMatchObject([
    { kind: "press", key: null, count: 6 },
    { kind: "press", key: "Enter" },
  ]);
});

test("what scripts of a page dispatch is told as theirs, ends nobody's typing, and keeps no act of a person out", async () => {
  await show(`<label>Mine <input id="mine"></label><input id="a"><input id="b"><script>
    setInterval(() => { for (const one of [a, b]) { one.value = Math.random(); one.dispatchEvent(new Event("input", { bubbles: true }));
      one.dispatchEvent(new Event("change", { bubbles: true })); one.click(); } }, 1);
  </script>`);
  await page.locator("#mine").pressSequentially("hello there", { delay: 20 });
  await page.locator("#last").click();
  await vi.waitFor(() => expect(events.some((one) => one.kind === "act" && one.act.kind === "click")).toBe(true));
  const told = events.flatMap((event) => (event.kind === "act" && event.act.isGoingOn !== true ? [event.act] : []));
  expect(told.filter(({ trusted }) => trusted)).toMatchObject([
    { kind: "fill", value: "hello there" },
    { kind: "click", target: { name: "That is all" } },
  ]);
});

test("a page sees nothing of it", async () => {
  await show(`<script>
    window.before = Object.getOwnPropertyNames(window).sort().join();
    window.added = []; const add = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (type, ...rest) { window.added.push(type); return add.call(this, type, ...rest); };
  </script><input id="i">`);
  await page.locator("#i").pressSequentially("x");
  await acts();
  const seen: unknown = await page.evaluate(
    "({ names: Object.getOwnPropertyNames(window).filter((name) => /tell|act/i.test(name) && !/^[A-Z]/.test(name)), added: window.added })",
  );
  expect(seen).toEqual({ names: [], added: [] });
});

test.each([
  ["opened with an address", "void window.open(location.href)"],
  ["opened without an opener", "void window.open(location.href, '_blank', 'noopener')"],
  ["written by its opener", "void (window.open('about:blank').document.body.innerHTML = '<button>Popped</button>')"],
  [
    "opened anew by its opener",
    "const opened = window.open('about:blank'); opened.document.open(); opened.document.write('<button>Popped</button>'); opened.document.close(); 0",
  ],
])("each act in a tab that is %s is told once", async (_, script) => {
  await show("<button>Popped</button>");
  const [popup] = await Promise.all([page.context().waitForEvent("page"), page.evaluate(script)]);
  await popup.getByRole("button", { name: "Popped" }).click();
  await popup.close();
  await vi.waitFor(() => expect(events.some(({ kind }) => kind === "tab-closed")).toBe(true));
  expect(events.filter(({ kind }) => kind === "act")).toMatchObject([{ act: { target: { name: "Popped" } } }]);
});

test("a document that is opened anew tells each act once", async () => {
  await show("");
  await page.evaluate(
    "document.open(); document.write('<button id=last>That is all</button><input>'); document.close()",
  );
  await page.locator("input").fill("x");
  expect(await acts()).toMatchObject([{ kind: "fill", value: "x" }]);
});

test("a frame of another site, and a new tab, tell what is done in them", async () => {
  html = `<!doctype html><body><button>Inner</button><iframe src="${url.replace("127.0.0.1", "localhost")}inner"></iframe>`;
  await page.goto(url);
  events = [];
  html = `<!doctype html><body><button id="last">That is all</button>`;
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    page.evaluate((address) => void window.open(address), url),
  ]);
  await popup.locator("#last").click();
  await page.frameLocator("iframe").getByRole("button", { name: "Inner" }).click();
  await popup.close();
  await vi.waitFor(() =>
    expect(events).toMatchObject([
      { kind: "tab-opened", tab: expect.any(Number) },
      { kind: "navigation", tab: expect.any(Number) },
      { kind: "act", tab: expect.any(Number), act: { kind: "click" } },
      { kind: "act", tab: 1, act: { kind: "click", target: { name: "Inner" } } },
      { kind: "tab-closed", tab: expect.any(Number) },
    ]),
  );
});
