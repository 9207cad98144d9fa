import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WatchedPage } from "./watched-page.ts";

let watched: WatchedPage;
beforeAll(async () => void (watched = await WatchedPage.open()));
afterAll(() => watched?.[Symbol.asyncDispose]());

const patience = { timeout: 20_000 };

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
  await watched.show(`<div id="here">${body}</div>`);
  const element = watched.page.locator("#here :is(button, a, input, textarea, [tabindex]):not([aria-hidden])");
  await element.first().click({ noWaitAfter: true });
  const click = (await watched.acts()).find(({ kind }) => kind === "click");
  const { role, name } = click?.target ?? {};
  expect(role).toBeTruthy();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a role that Playwright does not know is found nowhere
  const matches = watched.page.getByRole(role as "button", { name: name ?? "", exact: true });
  expect({ click, matches: await matches.count() }).toMatchObject({ matches: 1 });
});

test("characters that go into no field are counted, and not told", async () => {
  await watched.show(`<canvas tabindex="0" width="50" height="50"></canvas>`);
  await watched.page.locator("canvas").focus();
  await watched.page.keyboard.type("secret");
  await watched.page.keyboard.press("Enter");
  const acts = await watched.acts();
  expect(acts).toMatchObject([
    { kind: "press", key: null, count: 6 },
    { kind: "press", key: "Enter" },
  ]);
});

test("what scripts of a page dispatch is told as theirs, ends nobody's typing, and keeps no act of a person out", async () => {
  await watched.show(`<label>Mine <input id="mine"></label><input id="a"><input id="b"><script>
    setInterval(() => { for (const one of [a, b]) { one.value = Math.random(); one.dispatchEvent(new Event("input", { bubbles: true }));
      one.dispatchEvent(new Event("change", { bubbles: true })); one.click(); } }, 1);
  </script>`);
  await watched.page.locator("#mine").pressSequentially("hello there", { delay: 20 });
  await watched.page.locator("#last").click();
  await vi.waitFor(() =>
    expect(watched.events.some((one) => one.kind === "act" && one.act.kind === "click")).toBe(true),
  );
  const acts = watched.actsSoFar;
  expect(acts.filter(({ trusted }) => trusted)).toMatchObject([
    { kind: "fill", value: "hello there" },
    { kind: "click", target: { name: "That is all" } },
  ]);
});

test("a page sees nothing of it", async () => {
  await watched.show(`<script>
    window.before = Object.getOwnPropertyNames(window).sort().join();
    window.added = []; const add = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (type, ...rest) { window.added.push(type); return add.call(this, type, ...rest); };
  </script><input id="i">`);
  await watched.page.locator("#i").pressSequentially("x");
  await watched.acts();
  const traces: unknown = await watched.page.evaluate(
    "({ names: Object.getOwnPropertyNames(window).filter((name) => /tell|act/i.test(name) && !/^[A-Z]/.test(name)), added: window.added })",
  );
  expect(traces).toEqual({ names: [], added: [] });
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
  await watched.show("<button>Popped</button>");
  const [popup] = await Promise.all([watched.page.context().waitForEvent("page"), watched.page.evaluate(script)]);
  await popup.getByRole("button", { name: "Popped" }).click();
  await popup.close();
  await vi.waitFor(() => expect(watched.events.some(({ kind }) => kind === "tab-closed")).toBe(true), patience);
  expect(watched.events.filter(({ kind }) => kind === "act")).toMatchObject([{ act: { target: { name: "Popped" } } }]);
});

test("a document that is opened anew tells each act once", async () => {
  await watched.show("");
  await watched.page.evaluate(
    "document.open(); document.write('<button id=last>That is all</button><input>'); document.close()",
  );
  await watched.page.locator("input").fill("x");
  expect(await watched.acts()).toMatchObject([{ kind: "fill", value: "x" }]);
});

test("a frame of another site, and a new tab, tell what is done in them", async () => {
  watched.serve(
    `<!doctype html><body><button>Inner</button><iframe src="${watched.url.replace("127.0.0.1", "localhost")}inner"></iframe>`,
  );
  await watched.page.goto(watched.url);
  watched.events = [];
  watched.serve(`<!doctype html><body><button id="last">That is all</button>`);
  const [popup] = await Promise.all([
    watched.page.waitForEvent("popup"),
    watched.page.evaluate((address) => void window.open(address), watched.url),
  ]);
  await popup.locator("#last").click();
  await watched.page.frameLocator("iframe").getByRole("button", { name: "Inner" }).click();
  await popup.close();
  await vi.waitFor(
    () =>
      expect(watched.events).toMatchObject([
        { kind: "tab-opened", tab: expect.any(Number) },
        { kind: "navigation", tab: expect.any(Number) },
        { kind: "act", tab: expect.any(Number), act: { kind: "click" } },
        { kind: "act", tab: 1, act: { kind: "click", target: { name: "Inner" } } },
        { kind: "tab-closed", tab: expect.any(Number) },
      ]),
    patience,
  );
});
