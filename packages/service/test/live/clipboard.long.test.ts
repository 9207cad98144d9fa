import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { driveSession } from "../drive-session.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let site: Site;
let session: SessionView;
let other: SessionView;
let browser: Browser;
let page: Page;

const html = `<p id=p>Harbour <b>ferries</b></p><input id=i value=timetable><input id=s type=password value=hunter2><textarea id=t></textarea>
<div id=own tabindex=0>own</div><div id=host></div><iframe id=f srcdoc="<input id=in value=framed>"></iframe>
<script>
  own.addEventListener("copy", (event) => { event.clipboardData.setData("text/plain", "of its own"); event.preventDefault(); });
  own.addEventListener("paste", (event) => { own.textContent = "got " + event.clipboardData.getData("text/plain"); event.preventDefault(); });
  host.attachShadow({ mode: "open" }).innerHTML = "<input value=shadow>";
</script>`;

beforeAll(async () => {
  [running, site] = await Promise.all([
    startTestService(),
    startSite({
      "/": html,
      "/liar":
        "<input id=i value=a><script>ClipboardEvent = undefined; String.prototype.slice = () => ({ a: 1 })</script>",
      "/hangs": "<input id=i><script>i.addEventListener('copy', () => { for (;;); })</script>",
    }),
  ]);
  [session, other] = [await running.open({ url: site.url }), await running.open({ url: site.url })];
  ({ browser, page } = await driveSession(session));
});
afterAll(async () => {
  await browser?.close();
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const path = (query = "", of = session): string => `/control/sessions/${of.session_id}/clipboard${query}`;
const read = async (query = "", of = session): Promise<unknown> =>
  (await readAnswer<{ text: unknown }>(await running.ask("GET", path(query, of)))).text;
const write = (body: unknown): Promise<Response> => running.ask("PUT", path(), body);

test.each([
  [
    "in a paragraph",
    () => page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("p") ?? document)),
    "Harbour ferries",
  ],
  ["in a field", () => page.locator("#i").selectText(), "timetable"],
  ["in a frame", () => page.frameLocator("#f").locator("input").selectText(), "framed"],
  ["in a shadow tree", () => page.locator("#host input").selectText(), "shadow"],
  ["by the page itself", () => page.locator("#own").focus(), "of its own"],
  ["which is a password: it is kept", () => page.locator("#s").selectText(), "before"],
])("what is selected is copied: %s", async (_, select, text) => {
  await write({ text: "before" });
  await select();
  expect(await read("?copy=false")).toBe("before");
  expect(await read()).toBe(text);
  expect(await read("", other)).toBe("");
});

test("a text is pasted where the cursor is, and a page may handle that itself", async () => {
  const text = 'two\nlines, \u{1F600} and "quotes"';
  await page.locator("#t").focus();
  expect((await write({ text, paste: true })).status).toBe(200);
  expect(await page.locator("#t").inputValue()).toBe(text);
  await page.locator("#own").focus();
  await write({ text: "words", paste: true });
  expect(await page.locator("#own").textContent()).toBe("got words");
  await page.locator("#i").focus();
  await write({ text: "unused" });
  expect(await page.locator("#i").inputValue()).toBe("timetable");
});

test("whoever may steer or drive uses it, and nobody else", async () => {
  const { session_id: id } = session;
  const tokens: Record<string, string> = {};
  for (const scope of ["watch", "steer", "drive"]) {
    const answer = await running.ask("POST", `/control/sessions/${id}/tokens`, { scope });
    tokens[scope] = (await readAnswer<{ token: string }>(answer)).token;
  }
  const { key } = await readAnswer<{ key: string }>(await running.ask("POST", "/control/keys", { name: "team-b" }));
  const readStatus = async (query: string, authorization?: string): Promise<number> =>
    (await fetch(`${running.service.url}${path(query)}`, { headers: authorization ? { authorization } : {} })).status;
  expect([await readStatus(`?token=${tokens["steer"]}`), await readStatus(`?token=${tokens["drive"]}`)]).toEqual([
    200, 200,
  ]);
  expect([
    await readStatus(`?token=${tokens["watch"]}`),
    await readStatus(""),
    await readStatus("", "Bearer x"),
  ]).toEqual([401, 401, 401]);
  expect(await readStatus("", `Bearer ${key}`)).toBe(404);
});

test.each([[{}], [{ text: 1 }], [{ text: "x".repeat(500_001) }], [{ text: "a", more: 1 }]])(
  "%j is refused",
  async (body) => {
    expect((await write(body)).status).toBe(422);
  },
);

test("a page that lies or hangs does no harm", async () => {
  await write({ text: "before" });
  await page.goto(`${site.url}/liar`);
  await page.locator("#i").focus();
  const lied = await running.ask("GET", path());
  expect([200, 502]).toContain(lied.status);
  expect(await read("?copy=false")).toEqual(expect.any(String));
  await write({ text: "before" });
  await page.goto(`${site.url}/hangs`);
  await page.locator("#i").focus();
  expect((await running.ask("GET", path())).status).toBe(502);
  expect(await read("?copy=false")).toBe("before");
});
