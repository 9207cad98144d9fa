import { afterAll, beforeAll, expect, test } from "vitest";
import { ActsTest, page, type Person } from "./acts-site.ts";

let acts: ActsTest;

beforeAll(async () => {
  acts = await ActsTest.start({
    "/": page(
      "Parts",
      `<button onclick="tell('one')">Save</button>`,
      `<canvas width="300" height="30" style="background:tan"></canvas>`,
      `<div id="closed" style="height:30px;background:teal"></div><script>closed.attachShadow({ mode: "closed" }).innerHTML = "<button>In</button>"</script>`,
      `<iframe sandbox="allow-scripts" srcdoc="<button style='height:30px;width:200px'>In</button>" style="border:0;height:30px;margin:-8px"></iframe>`,
      `<button style="width:200px">Twice</button>`,
      `<button style="width:200px">Twice</button>`,
      `<div contenteditable style="height:30px">Plain <b>bold</b></div>`,
      `<input name="text">`,
      `<select multiple aria-label="Several" style="height:30px"><option>a<option>b</select>`,
      `<p style="height:30px;margin:0">Words</p>`,
    ),
  });
});
afterAll(async () => acts?.[Symbol.asyncDispose]());

const send = (person: Person, ...messages: readonly object[]): void => messages.forEach((one) => person.live.send(one));

const tried: readonly (readonly [code: string, act: (person: Person) => Promise<void>])[] = [
  ["canvas", (person) => person.click(1)],
  ["closed-shadow-root", (person) => person.click(2)],
  ["cross-origin-frame", (person) => person.click(3)],
  ["ambiguous", (person) => person.click(4)],
  [
    "rich-text",
    async (person) => {
      await person.fill(6, "more");
      await person.click(0);
    },
  ],
  ["double-click", (person) => person.click(0, { click_count: 2 })],
  ["other-button", (person) => person.click(0, { button: "right" })],
  ["modified-click", (person) => person.click(0, { modifiers: 2 })],
  [
    "drag",
    async (person) => {
      person.drag(9, 0);
      await person.until("drag");
    },
  ],
  ["multiple-select", (person) => person.click(8, { x: 10, kind: "select" })],
  ["no-target", (person) => person.click(14, { x: 700 })],
  [
    "untold-keys",
    async (person) => {
      for (const action of ["down", "up"]) send(person, { type: "key", action, key: "x" });
      await person.until("press");
    },
  ],
  ["key-without-target", (person) => person.press("Enter")],
  [
    "reload",
    async (person) => {
      send(person, { type: "history", action: "reload" });
      await person.until("navigation");
    },
  ],
];

test.each(tried)("%s is refused, with the entry that it is about", async (code, act) => {
  await using person = await acts.person("/");
  await act(person);
  expect(await acts.refuse(person.id)).toContain(code);
  const { entries } = await person.timeline();
  // Nothing in the answer of the timeline says how an element is found again.
  expect(JSON.stringify(entries)).not.toContain("place");
});

test("acts of a person and a program by turns are refused, and those of one of them are not", async () => {
  await using person = await acts.person("/");
  await person.click(0);
  await acts.heard("one");
  const { entries } = await person.timeline();
  const to = entries.at(-1)?.seq ?? 0;
  await person.click(1);
  expect(await acts.refuse(person.id)).toEqual(["canvas"]);
  const result = await acts.make(person.id, { to });
  expect(await acts.run(result.function_id)).toEqual(["one"]);
});

test("a range that is none, or begins within a page, is refused", async () => {
  await using person = await acts.person("/");
  await person.click(0);
  await person.click(0);
  const { entries } = await person.timeline();
  expect(await acts.refuse(person.id, { from: entries.at(-1)?.seq })).toEqual(["starts-within-page"]);
  const ask = (body: object): Promise<Response> =>
    acts.running.ask("POST", `/control/sessions/${person.id}/function`, body);
  for (const body of [{ from: 3, to: 2 }, { from: 0 }, { from: "1" }, { other: 1 }, { name: "" }])
    expect((await ask(body)).status).toBe(422);
  expect((await acts.running.ask("POST", "/control/sessions/none/function")).status).toBe(404);
});
