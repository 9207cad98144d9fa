import { describe, expect, test } from "vitest";
import { actRefusalCodes } from "../../src/acts/act-refusal.ts";
import { makeFunctionOfActs, type ActsRange } from "../../src/acts/function-of-acts.ts";
import type { RecordedAct, RecordedEntry, RecordedTarget } from "../../src/acts/recorded-entry.ts";
import { writeFunctionSource } from "../../src/functions/function-source.ts";
import type { Step } from "../../src/task/step.ts";

/** An entry without its number and time. */
type Bare = RecordedEntry extends infer Entry
  ? Entry extends RecordedEntry
    ? Omit<Entry, "seq" | "atMs" | "by" | "tab"> & Partial<Pick<Entry, "seq" | "atMs" | "by" | "tab">>
    : never
  : never;

/** Numbers entries, a second apart. */
const numbered = (bare: readonly Bare[]): readonly RecordedEntry[] =>
  bare.map((one, index): RecordedEntry => ({ by: "person", tab: 1, seq: index + 1, atMs: index * 1_000, ...one }));

const button = (name: string): RecordedTarget => ({
  role: "button",
  name,
  place: { keys: [{ by: "role", value: name }] },
});
const field = (name: string): RecordedTarget => ({
  role: "textbox",
  name,
  place: { keys: [{ by: "role", value: name }] },
});
const act = (
  kind: RecordedAct["act"],
  more: Partial<RecordedAct> & Partial<Pick<RecordedEntry, "by" | "tab" | "atMs">> = {},
): Bare => ({
  kind: "act",
  act: kind,
  target: button("Go"),
  ...more,
});
const went = (url: string, more: object = {}): Bare => ({
  kind: "navigation",
  address: { url },
  sameDocument: false,
  ...more,
});
const fill = (value: string): Bare => act("fill", { target: field("Name"), value });
const opened: Bare = { kind: "tab-opened", by: "service" };
const start: readonly Bare[] = [opened, went("https://a.example/", { by: "service", via: "address" })];
const click = act("click");

function make(bare: readonly Bare[], range: ActsRange = {}): readonly Step[] {
  const result = makeFunctionOfActs(numbered(bare), range);
  if ("refusals" in result) throw new Error(JSON.stringify(result.refusals));
  return result.function.steps;
}

describe("what can be repeated", () => {
  test("becomes steps, with a variable for each value, and without what is not known", () => {
    const result = makeFunctionOfActs(
      numbered([
        opened,
        went("https://a.example/find", {
          by: "service",
          via: "address",
          address: { url: "https://a.example/find", parameters: ["lang"] },
        }),
        act("fill", { target: field("Search for"), value: "green tea" }),
        act("fill", { target: field("Password"), value: null }),
        act("fill", { target: field("Link"), value: "https://a.example/", isPartial: true }),
        act("select", { target: { ...button("Size"), role: "combobox" }, value: "Large" }),
        act("check", { target: { ...button("Terms"), role: "checkbox" }, checked: true }),
        act("upload", { target: button("Attachment"), count: 2 }),
        act("press", { target: field("Search for"), key: "Enter" }),
        act("scroll", { target: null, to: { x: 0, y: 300 } }),
      ]),
      {},
    );
    expect(result).toMatchObject({
      function: {
        by: "person",
        entries: { from: 1, to: 10 },
        variables: [
          { name: "lang", value: null },
          { name: "search_for", value: "green tea" },
          { name: "password", value: null },
          { name: "link", value: null },
          { name: "size", value: "Large" },
          { name: "attachment", value: null },
          { name: "attachment_2", value: null },
        ],
        steps: [
          { action: "open", url: "https://a.example/find?lang={{lang}}" },
          { action: "fill", value: "{{search_for}}", target: { label: 'textbox "Search for"' } },
          { action: "fill", value: "{{password}}" },
          { action: "fill", value: "{{link}}" },
          { action: "select", option: "{{size}}" },
          { action: "check", checked: true },
          { action: "upload", files: ["{{attachment}}", "{{attachment_2}}"] },
          { action: "press", key: "Enter" },
          { action: "scroll", to: { x: 0, y: 300 } },
        ],
      },
    });
  });

  test("begins with the page that the range begins on", () => {
    const entries = [...start, click, went("https://a.example/second"), click];
    expect(make(entries, { from: 5 })).toMatchObject([
      { action: "open", url: "https://a.example/second" },
      { action: "click" },
    ]);
    expect(make(entries, { from: 4 })).toHaveLength(2);
    expect(make(entries, { to: 3 })).toHaveLength(2);
    expect(make([...start, went("https://b.example/", { via: "address" }), click], { from: 3 })).toMatchObject([
      { action: "open", url: "https://b.example/" },
      { action: "click" },
    ]);
  });

  test("opens the address that was asked for, and as a whole variable one that is not known whole", () => {
    const address = { url: "https://a.example/login" };
    const requested = { url: "https://a.example/private", parameters: ["next"] };
    const redirected = { via: "address", address, requested };
    expect(make([...start, went("", redirected)], { from: 3 })).toEqual([
      { action: "open", url: "https://a.example/private?next={{next}}" },
    ]);
    const partial = { via: "address", address: { url: "https://a.example/", isPartial: true } };
    expect(make([...start, went("", partial)], { from: 3 })).toEqual([{ action: "open", url: "{{address}}" }]);
  });

  test("of a field that is filled again, with nothing between, is what it held last", () => {
    expect(make([...start, fill("A"), fill("Ada")])).toHaveLength(2);
    expect(makeFunctionOfActs(numbered([...start, fill("A"), fill("Ada")]), {})).toMatchObject({
      function: { variables: [{ name: "name", value: "Ada" }] },
    });
    expect(makeFunctionOfActs(numbered([...start, fill("A"), fill("")]), {})).toMatchObject({
      function: { variables: [], steps: [{}, { value: "" }] },
    });
    expect(make([...start, fill("A"), click, fill("B")])).toHaveLength(4);
  });

  test("has what tells an element from others in the selectors of its steps", () => {
    const place = {
      frames: [{ by: "title", value: "In" }],
      keys: [
        { by: "role", value: "Go", within: { role: "row", text: "Bob" } },
        { by: "testid", value: "go" },
        { by: "name", value: "x" },
      ],
    } as const;
    expect(make([...start, act("click", { target: { role: "button", name: "Go", place } })])[1]).toEqual({
      action: "click",
      target: {
        selectors: [
          `iframe[title="In"] >> internal:control=enter-frame >> internal:role=row >> internal:has="internal:text=\\"Bob\\"s" >> internal:role=button[name="Go"s]`,
          `iframe[title="In"] >> internal:control=enter-frame >> internal:testid=[data-testid="go"s]`,
          `iframe[title="In"] >> internal:control=enter-frame >> [name="x"]`,
        ],
        label: 'button "Go"',
      },
    });
  });

  test("answers dialogs, and goes on in the tab that was opened or closed", () => {
    const entries: readonly Bare[] = [
      ...start,
      click,
      { kind: "dialog", type: "alert", message: "Hello", by: "page" },
      { kind: "dialog-closed", accepted: true },
      { kind: "dialog", type: "confirm", message: "{{sure}}?", by: "page" },
      { kind: "dialog-closed", accepted: true },
      { kind: "tab-opened", tab: 2, opener: 1, atMs: 3_000 },
      act("click", { tab: 2 }),
      { kind: "tab-closed", tab: 2, isAsked: true },
      click,
    ];
    expect(make(entries)).toMatchObject([
      { action: "open" },
      { action: "click", dialogs: [{ type: "confirm", message: '{{"{{"}}sure}}?', accept: true }] },
      { action: "tab", tab: 2, does: "choose" },
      { action: "click" },
      { action: "tab", tab: 2, does: "close" },
      { action: "tab", tab: 1, does: "choose" },
      { action: "click" },
    ]);
    const record = {
      function_id: "i",
      function_name: "f",
      created_at: "",
      query: "",
      variables: [],
      steps: make(entries),
    };
    const source = writeFunctionSource(record);
    expect(source).toContain(`answerDialogs(page, [{ type: "confirm", message: "{{sure}}?", accept: true }], () =>`);
    expect(source).toContain(`page = await findTab(tabs, 1);`);
  });
});

const target = (obstacle: string): Bare =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is tried
  act("click", { target: { role: null, name: "", place: { keys: [], obstacle } } as RecordedTarget });
const dialog = (more: object = {}): Bare => ({
  kind: "dialog",
  type: "confirm",
  message: "Sure?",
  by: "page",
  ...more,
});
const answered: Bare = { kind: "dialog-closed", accepted: true };

/** A reason, the number of the entry that it names, and entries in which it is. */
type Refused = readonly [code: string, seq: number | null, entries: readonly Bare[], range?: ActsRange];

const refused: readonly Refused[] = [
  ...(["ambiguous", "unnamed", "canvas", "closed-shadow-root", "cross-origin-frame"] as const).map(
    (code) => [code, 3, [...start, target(code)]] as const,
  ),
  ...(["ambiguous-frame", "secret-key", "rich-text", "large-page"] as const).map(
    (code) => [code, 3, [...start, target(code)]] as const,
  ),
  ["two-actors", 4, [...start, click, act("click", { by: "client" })]],
  ["two-actors", 5, [...start, click, dialog(), { ...answered, by: "client" }]],
  ["run-in-range", 3, [...start, { kind: "run-step", by: "run", isOpening: true }, click]],
  ["run-in-range", 3, [...start, went("https://a.example/b", { by: "run" }), click]],
  ["gap", 3, [...start, { kind: "gap", count: 4 }, click]],
  ["gap", 3, [...start, act("click", { dropped: 2 })]],
  ["gap", 9, [...start, { ...click, seq: 9 }]],
  ["timeline-full", 3, [...start, click], { isFull: true }],
  ["lost-end", 4, [...start, click, { kind: "end", isLost: true, by: "service" }]],
  ["unfinished-fill", 3, [...start, act("fill", { value: "a", isUnfinished: true })]],
  ["typing-goes-on", 3, [...start, click], { isTypedInto: true }],
  ["no-acts", null, [...start, { kind: "other" }]],
  ["no-acts", null, [...start, click], { from: 7 }],
  ["no-place", 3, [...start, act("click", { target: { role: "button", name: "Go" } })]],
  ["no-target", 3, [...start, act("click", { target: null })]],
  ["double-click", 3, [...start, act("click", { count: 2 })]],
  ["other-button", 3, [...start, act("click", { button: "right" })]],
  ["modified-click", 3, [...start, act("click", { modifiers: "Control" })]],
  ["drag", 3, [...start, act("drag")]],
  ["untold-keys", 3, [...start, act("press", { key: null, target: null, count: 3 })]],
  ["key-without-target", 3, [...start, act("press", { key: "Enter", target: null })]],
  ["unknown-key", 3, [...start, act("press", { key: "MediaPlay" })]],
  ...["Control+v", "Meta+V", "Shift+Insert", "Control+c", "Control+Shift+v", "Shift+Delete"].map(
    (key) => ["clipboard", 3, [...start, act("press", { key })]] as const,
  ),
  ["multiple-select", 3, [...start, act("select", { value: "a, b", count: 2 })]],
  ["empty-choice", 3, [...start, act("select", { value: "" })]],
  ["cleared-upload", 3, [...start, act("upload", { count: 0 })]],
  ["element-scroll", 3, [...start, act("scroll", { to: { x: 0, y: 9 } })]],
  ["unopenable-address", 3, [...start, went("file:///a", { via: "address" })]],
  ["unopenable-address", 3, [opened, went("about:blank", { by: "page" }), click]],
  ["failed-page", 3, [...start, went("chrome-error://chromewebdata/", { via: "address" })]],
  ["failed-page", 4, [...start, click, went("chrome-error://chromewebdata/")]],
  ["no-address", 2, [opened, click]],
  ["starts-within-page", 4, [...start, click, click], { from: 4 }],
  ["starts-within-page", 4, [...start, { kind: "gap", count: 2 }, click], { from: 4 }],
  ["starts-within-page", 4, [...start, { kind: "run-step", by: "run", isOpening: false }, click], { from: 4 }],
  ["forward", 3, [...start, went("https://a.example/b", { via: "forward" })]],
  ["reload", 3, [...start, went("https://a.example/", { via: "reload" })]],
  ["history-jump", 3, [...start, went("https://a.example/b", { via: "history" })]],
  [
    "history-beyond-range",
    4,
    [...start, went("https://a.example/b"), went("https://a.example/", { via: "back" })],
    { from: 4 },
  ],
  ["history-beyond-range", 4, [...start, click, went("https://other.example/", { via: "back" })]],
  ["unknown-cause", 4, [...start, click, went("https://a.example/b", { atMs: 60_000 })]],
  ["tab-without-act", 4, [...start, click, { kind: "tab-opened", tab: 2 }]],
  ["unknown-cause", 4, [...start, click, { kind: "tab-opened", tab: 2, opener: 1, atMs: 60_000 }]],
  ["tab-by-page", 4, [...start, click, { kind: "tab-opened", tab: 2, opener: 1, by: "page" }]],
  [
    "tab-outside-range",
    6,
    [
      ...start,
      { kind: "tab-opened", tab: 2, opener: 1 },
      went("https://b.example/", { tab: 2 }),
      click,
      act("click", { tab: 2 }),
    ],
    { from: 5 },
  ],
  ["last-tab-closed", 4, [...start, click, { kind: "tab-closed", isAsked: true }]],
  ["unknown-dialog", 4, [...start, click, dialog({ message: null }), answered]],
  ["late-dialog", 4, [...start, click, dialog({ atMs: 60_000 }), answered]],
  ["unanswered-dialog", 4, [...start, click, dialog(), answered], { to: 4 }],
  ["too-many-steps", null, [...start, ...Array.from({ length: 500 }, () => click)]],
];

const tried = refused.map(([code, seq, entries, range = {}]) => [code, seq, entries, range] as const);

test.each(tried)("%s is refused, and entry %s named", (code, seq, entries, range) => {
  const result = makeFunctionOfActs(numbered(entries), range);
  expect(result).toMatchObject({ refusals: expect.arrayContaining([expect.objectContaining({ code, seq })]) });
});

test("each code of the list is tried", () => {
  expect([...new Set(refused.map(([code]) => code))].sort()).toEqual([...actRefusalCodes].sort());
});
