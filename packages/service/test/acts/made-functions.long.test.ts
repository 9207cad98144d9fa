import type { FunctionRecord } from "@cloud-browser/automation";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAnswer } from "../running-service.ts";
import { ActsTest, page, type Person } from "./acts-site.ts";

let acts: ActsTest;

const pages = {
  "/search": page("Search", `<form action="/asked"><label>Search <input name="q"></label></form>`),
  "/login": page(
    "Log in",
    `<label>User <input name="user" form="f"></label>`,
    `<label>Password <input type="password" name="pw" form="f"></label>`,
    `<button form="f">Log in</button><form id="f" method="post" action="/told" enctype="text/plain"></form>`,
  ),
  "/choices": page(
    "Choices",
    `<label>Colour <select onchange="tell('colour ' + value)"><option>red<option>green<option>blue</select></label>`,
    `<label><input type="checkbox" style="width:20px" onchange="tell('terms ' + checked)"> Terms</label>`,
    `<label><input type="radio" name="size" style="width:20px" onchange="tell('large')"> Large</label>`,
    `<button onclick="tell('one')" data-testid="first">Buy</button>`,
    `<button onclick="tell('two')" data-testid="second">Buy</button>`,
  ),
  "/frame": page(
    "Frame",
    `<iframe src="/choices" title="Inner" style="border:0;width:600px;height:400px"></iframe><iframe hidden title="Other"></iframe>`,
  ),
  "/upload": page("Upload", `<label>Attachment <input type="file" onchange="tell('file ' + files[0].name)"></label>`),
  "/dialogs": page(
    "Dialogs",
    `<button onclick="tell('sure ' + confirm('Are you sure?'))">Delete</button>`,
    `<button onclick="tell('name ' + prompt('Your name?'))">Name</button>`,
    `<button onclick="alert('Hello'); tell('greeted')">Greet</button>`,
  ),
  "/tabs": page(
    "Tabs",
    `<a href="/choices" target="_blank">New tab</a>`,
    `<button onclick="tell('first tab')">Here</button>`,
    `<a href="/choices">Onwards</a>`,
  ),
  "/typed": page("Typed", `<label>Note <input oninput="tell('typed ' + value)"></label>`),
  "/rows": page(
    "Rows",
    `<ul style="margin:0;padding:0"><li style="height:40px"><button onclick="tell('alice')">Delete</button> <span>Alice</span></li><li style="height:40px"><button onclick="tell('bob')">Delete</button> <span>Bob</span></li></ul>`,
  ),
};

beforeAll(async () => {
  acts = await ActsTest.start(pages);
});
afterAll(async () => acts?.[Symbol.asyncDispose]());

/** What of a function says how it is called. */
const listVariables = ({
  variables,
}: {
  variables: readonly { name: string; value: string | null }[];
}): Record<string, string | null> => Object.fromEntries(variables.map(({ name, value }) => [name, value]));

test("a search is repeated with another term, in a session that is open and when it has ended", async () => {
  const person = await acts.person("/search?lang=hidden-en");
  await person.fill(0, "green tea");
  await person.press("Enter");
  await person.until("navigation");
  const open = await acts.make(person.id);
  expect(listVariables(open)).toEqual({ lang: null, search: "green tea" });
  expect(JSON.stringify(open)).not.toContain("hidden");
  expect(await acts.run(open.function_id, { lang: "de" })).toEqual(["/asked?q=green+tea"]);
  await acts.running.end(person.id);
  const ended = await acts.make(person.id, { name: "tea search" });
  expect(ended.function_name).toBe("tea_search");
  expect(ended.steps).toEqual(open.steps);
  expect(await acts.run(ended.function_id, { lang: "de", search: "black tea" })).toEqual(["/asked?q=black+tea"]);
});

test("a password is a variable that has to be given, and is in no function", async () => {
  await using person = await acts.person("/login");
  await person.fill(1, "hidden-password");
  await person.click(2);
  await person.until("navigation");
  const result = await acts.make(person.id);
  expect(listVariables(result)).toEqual({ password: null });
  expect(JSON.stringify(result)).not.toContain("hidden");
  expect(await acts.run(result.function_id, { password: "other" })).toEqual(["user=\r\npw=other\r\n"]);
});

test("choices, boxes and buttons of one name are found again, one by its test id", async () => {
  await using person = await acts.person("/choices");
  await person.click(1, { x: 10, kind: "check" });
  await person.click(2, { x: 10, kind: "check" });
  await person.click(4);
  await acts.heard("terms true", "large", "two");
  const { entries } = await person.timeline();
  const result = await acts.make(person.id, { from: entries.findIndex(({ kind }) => kind === "check") + 1 });
  expect(await acts.run(result.function_id)).toEqual(["terms true", "large", "two"]);
});

test("an option is chosen again, or another one", async () => {
  await using person = await acts.person("/choices");
  await choose(person, "g");
  await acts.heard("colour green");
  const result = await acts.make(person.id, { name: "choose a colour" });
  expect(result).toMatchObject({ function_name: "choose_a_colour", variables: [{ name: "colour", value: "green" }] });
  expect(await acts.run(result.function_id)).toEqual(["colour green"]);
  expect(await acts.run(result.function_id, { colour: "blue" })).toEqual(["colour blue"]);
});

test("what is in a frame is found in it", async () => {
  await using person = await acts.person("/frame");
  await person.click(4);
  await acts.heard("two");
  const result = await acts.make(person.id);
  expect(await acts.run(result.function_id)).toEqual(["two"]);
});

test("a button of a row is that of the same row", async () => {
  await using person = await acts.person("/rows");
  await person.click(1, { x: 20 });
  await acts.heard("bob");
  const result = await acts.make(person.id);
  expect(await acts.run(result.function_id)).toEqual(["bob"]);
});

test("what is being typed is waited for", async () => {
  await using person = await acts.person("/typed");
  await person.fill(0, "hot");
  await acts.heard("typed hot");
  const result = await acts.make(person.id);
  expect(listVariables(result)).toEqual({ note: "hot" });
  expect(await acts.run(result.function_id, { note: "cold" })).toEqual(["typed cold"]);
});

test("dialogs are answered as they were, and the text of a prompt has to be given", async () => {
  await using person = await acts.person("/dialogs");
  await person.click(0);
  await person.until("dialog");
  person.live.send({ type: "dialog", action: "accept" });
  await person.until("dialog-closed");
  await person.click(0);
  await person.until("dialog");
  person.live.send({ type: "dialog", action: "dismiss" });
  await person.until("dialog-closed");
  await person.click(1);
  await person.until("dialog");
  person.live.send({ type: "dialog", action: "accept", text: "hidden-name" });
  await person.until("dialog-closed");
  await acts.heard("sure true", "sure false", "name hidden-name");
  const result = await acts.make(person.id);
  expect(listVariables(result)).toEqual({ your_name: null });
  expect(JSON.stringify(result)).not.toContain("hidden");
  expect(await acts.run(result.function_id, { your_name: "Ada" })).toEqual(["sure true", "sure false", "name Ada"]);
});

test("acts in a tab that a click has opened, and again in the first one, are done in theirs", async () => {
  await using person = await acts.person("/tabs");
  await person.click(0, { x: 20 });
  await person.until("tab-opened");
  await person.until("navigation");
  await person.shows("Choices");
  await person.click(4);
  await person.closeTab("Choices");
  await person.until("tab-closed");
  await person.shows("Tabs");
  await person.click(1);
  await acts.heard("two", "first tab");
  const result = await acts.make(person.id);
  expect(result.steps.map(({ action }) => action)).toEqual(["open", "click", "tab", "click", "tab", "tab", "click"]);
  expect(await acts.run(result.function_id)).toEqual(["two", "first tab"]);
});

test("several pages are gone through, and back", async () => {
  await using person = await acts.person("/choices");
  await person.go(`${acts.site.url}/tabs`, "Tabs");
  await person.click(2, { x: 20 });
  await person.until("navigation");
  await person.shows("Choices");
  await person.click(4);
  person.live.send({ type: "history", action: "back" });
  await person.until("navigation");
  await person.shows("Tabs");
  await person.click(1);
  await acts.heard("two", "first tab");
  const result = await acts.make(person.id, { from: 3 });
  expect(result.steps.map(({ action }) => action)).toEqual(["open", "click", "click", "back", "click"]);
  expect(await acts.run(result.function_id)).toEqual(["two", "first tab"]);
});

test("what a program did is made a function, too, and files are given to each run", async () => {
  await using person = await acts.person("/upload", false);
  const browser = await chromium.connectOverCDP(person.session.cdp_url ?? "");
  const [opened] = browser.contexts()[0]?.pages() ?? [];
  await opened
    ?.getByLabel("Attachment")
    .setInputFiles({ name: "cv.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
  await person.until("upload");
  await acts.heard("file cv.txt");
  await browser.close();
  const result = await acts.make(person.id);
  expect(listVariables(result)).toEqual({ attachment: null });
  const files = [{ name: "other.txt", base64: "eA==" }];
  expect(await acts.run(result.function_id, { attachment: "other.txt" }, files)).toEqual(["file other.txt"]);
});

test("a request that is sent again with its key makes one function", async () => {
  await using person = await acts.person("/rows");
  await person.click(0, { x: 20 });
  const ask = (key: string): Promise<Response> =>
    fetch(`${acts.running.service.url}/control/sessions/${person.id}/function`, {
      method: "POST",
      headers: { authorization: `Bearer ${acts.running.service.apiKey}`, "idempotency-key": key },
    });
  const [first, second, other] = [await ask("one"), await ask("one"), await ask("two")];
  const ids = await Promise.all(
    [first, second, other].map(async (one) => (await readAnswer<FunctionRecord>(one)).function_id),
  );
  expect(new Set(ids).size).toBe(2);
  expect(ids[0]).toBe(ids[1]);
  expect(first.headers.get("location")).toBe(`/control/functions/${ids[0]}`);
});

test("a function is for the key of its session, and a session of another key is unknown", async () => {
  await using person = await acts.person("/rows");
  const { key } = await readAnswer<{ key: string }>(await acts.running.ask("POST", "/control/keys", { name: "other" }));
  const url = `${acts.running.service.url}/control/sessions/${person.id}/function`;
  expect((await fetch(url, { method: "POST", headers: { authorization: `Bearer ${key}` } })).status).toBe(404);
  expect((await fetch(url, { method: "POST" })).status).toBe(401);
});

/** Chooses an option of the first row by its first letter. */
async function choose(person: Person, letter: string): Promise<void> {
  person.live.send({ type: "key", action: "down", key: "Tab" });
  person.live.send({ type: "key", action: "up", key: "Tab" });
  for (const action of ["down", "up"]) person.live.send({ type: "key", action, key: letter });
  await person.until("select");
}
