import { afterAll, beforeAll, expect, test } from "vitest";
import type { ActPlace } from "../../src/acts/act-place.ts";
import { WatchedPage } from "./watched-page.ts";

let watched: WatchedPage;
beforeAll(async () => {
  watched = await WatchedPage.open();
});
afterAll(() => watched?.[Symbol.asyncDispose]());

/** Clicks the element with the id `it`, and returns what its place is told to be. */
async function readPlace(body: string, frame?: string): Promise<ActPlace | undefined> {
  await watched.show(body);
  const where = frame === undefined ? watched.page : watched.page.frameLocator(frame);
  await where.locator("#it").click();
  return (await watched.acts()).find(({ kind, target }) => kind === "click" && target !== null)?.target?.place;
}

const places: readonly (readonly [body: string, place: ActPlace])[] = [
  [`<button id="it">Save</button>`, { keys: [{ by: "role", value: "Save" }] }],
  [
    `<label>Name <input id="it" name="user" placeholder="Ada"></label>`,
    {
      keys: [
        { by: "role", value: "Name" },
        { by: "label", value: "Name" },
        { by: "placeholder", value: "Ada" },
        { by: "name", value: "user" },
      ],
    },
  ],
  [`<button>Save</button><button id="it" data-testid="two">Save</button>`, { keys: [{ by: "testid", value: "two" }] }],
  [
    `<ul><li>Alice <button>Delete</button></li><li><b>Bob</b> <button id="it">Delete</button></li></ul>`,
    { keys: [{ by: "role", value: "Delete", within: { role: "listitem", text: "Bob" } }] },
  ],
  [
    `<form><input name="user"><button>Go</button></form><form><input name="q"><button id="it">Go</button></form>`,
    { keys: [{ by: "role", value: "Go", within: { field: "q" } }] },
  ],
  [
    `<section aria-label="A"><button>Go</button></section><div role="region" aria-label="B"><button id="it">Go</button></div>`,
    { keys: [{ by: "role", value: "Go", within: { role: "region", name: "B" } }] },
  ],
  [
    `<ul><li><button>Go</button><p contenteditable>hidden</p></li><li><button id="it">Go</button><p contenteditable>too</p></li></ul>`,
    { keys: [], obstacle: "ambiguous" },
  ],
  [`<button hidden>Save</button><button id="it">Save</button>`, { keys: [{ by: "role", value: "Save" }] }],
  [`<div id="it">Plain words</div>`, { keys: [{ by: "text", value: "Plain words" }] }],
  [`<div id="it" tabindex="0">Twice</div><p>Twice</p>`, { keys: [], obstacle: "ambiguous" }],
  [`<button>Save</button><button id="it">Save</button>`, { keys: [], obstacle: "ambiguous" }],
  [`<button id="it" style="width:9px;height:9px"></button>`, { keys: [], obstacle: "unnamed" }],
  [`<canvas id="it" aria-label="Chart" role="img"></canvas>`, { keys: [], obstacle: "canvas" }],
  [
    `<x-card id="it" style="display:block"></x-card><script>it.attachShadow({ mode: "closed" }).innerHTML = "<button>Inner</button>"</script>`,
    { keys: [], obstacle: "closed-shadow-root" },
  ],
  [`<input type="password"><button id="it">4</button><button>5</button>`, { keys: [], obstacle: "secret-key" }],
];

test.each(places)("what tells an element from all others is told, or why nothing does: %s", async (body, place) => {
  expect(await readPlace(body)).toEqual(place);
});

test("an element in frames is told with them, and with none of another origin", async () => {
  const inner = `<button id='it'>Inner</button>`;
  expect(await readPlace(`<iframe srcdoc="${inner}"></iframe>`, "iframe")).toEqual({
    frames: [{ by: "only", value: "iframe" }],
    keys: [{ by: "role", value: "Inner" }],
  });
  expect(
    await readPlace(`<iframe srcdoc="a"></iframe><iframe title="Two" srcdoc="${inner}"></iframe>`, "iframe[title]"),
  ).toMatchObject({ frames: [{ by: "title", value: "Two" }] });
  expect(await readPlace(`<iframe srcdoc="a"></iframe><iframe srcdoc="${inner}"></iframe>`, "iframe >> nth=1")).toEqual(
    {
      keys: [],
      obstacle: "ambiguous-frame",
    },
  );
  expect(await readPlace(`<iframe sandbox="allow-scripts" srcdoc="${inner}"></iframe>`, "iframe")).toEqual({
    keys: [],
    obstacle: "cross-origin-frame",
  });
});

test("a drag is told, and no click after it; a selection in a field is none", async () => {
  await watched.show(
    `<div id="from" style="height:60px;user-select:none">From</div><input id="field" value="a long enough text" style="width:300px">`,
  );
  const { mouse } = watched.page;
  const drag = async (selector: string): Promise<void> => {
    const box = await watched.page.locator(selector).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5];
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x + 60, y + 8, { steps: 3 });
    await mouse.up();
  };
  await drag("#from");
  await drag("#field");
  expect((await watched.acts()).map(({ kind }) => kind)).toEqual(["drag", "click"]);
});

test("keys that are held are told with a click", async () => {
  await watched.show(`<button id="it">Save</button>`);
  await watched.page.locator("#it").click({ modifiers: ["Control", "Shift"] });
  expect(await watched.acts()).toMatchObject([{ kind: "click", modifiers: "Control+Shift" }]);
});
