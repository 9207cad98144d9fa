import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Names that several files export, because they mean the same in each of them. */
const shared: Readonly<Record<string, string>> = {
  ActivePage: "the page that a session is on: the class of browsers, and what recorder and automation need of it",
  AutomationEvent: "the event union of the interface, as it is written and as it is read",
  TerminalEvent: "the four events that end a run, as they are written and as they are read",
  terminalTypes: "their types; the suite imports nothing of what it judges",
  ByteRange: "a range of bytes, as HTTP has it",
  Chunk: "bytes as they arrived",
  JsonBody: "a parsed body, or why it can't be parsed",
  LiveInput: "a message of a viewer to the live socket",
  TimelineEntry: "an entry of a timeline, as it is on the wire",
  mayEscape: "whether a writer may write a sign otherwise: the suite imports nothing of the service",
  Operation: "the identifiers that the contract gives its operations",
  OwnWords: "the service's own words for the neutral ones of the interface",
  PageView: "what a page shows: to a model, and to readers of its things",
  Redact: "what takes secrets out of a text",
  ReplayResponse: "the answer of the replay: downloads load nothing else of the client",
  ScrapeRequest: "the body of a page scrape",
  Segment: "a segment of HLS",
  StartedRun: "a run that has begun",
  Verdict: "what a judge says: of the data, or of the target; both are published",
  describeConformance: "binds the suite to a test runner, of which each has a file",
  exitCodes: "the exit codes of a command line",
  findFfmpeg: "finds ffmpeg; the suite imports nothing of the service",
  formatBytes: "a number of bytes for people",
  formatDuration: "a duration for people",
  isElement: "narrows a node to an element: by its own property, or by one that pages can't change",
  nameFlags: "a text with flags in place of the options that it names, on a command line",
  isObject: "narrows a JSON value to an object",
  isRecord: "narrows a value to an object",
  redactError: "a thrown value without secrets",
  refuseEmpty: "rejects empty flags of a command line",
  register: "adds a command to a command line",
  runProgram: "runs a command line",
  titleOf: "reads the title of a page",
  untilAborted: "waits for a promise or a signal",
  version: "the version of a package, from its manifest",
  guardArguments: "reads what a caller passes, whose getters may throw",
};

const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:interface|type|class|function\*?|const|enum|let) (\w+)/gmu;

/** Names under which a list of exports gives something else than its own name. */
const renamed = /\w+ as (\w+)/gu;
const lists = /^export (?:type )?\{([^}]*)\}/gmu;

function listExports(text: string): readonly string[] {
  const others = [...text.matchAll(lists)].map(([, list = ""]) => list).join(",");
  return [...text.matchAll(exported), ...others.matchAll(renamed)].map(([, name = ""]) => name);
}

/** Files by the names that they export. */
function groupByName(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const file of globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root })) {
    for (const name of listExports(readFileSync(`${root}${file}`, "utf8"))) {
      names.set(name, (names.get(name) ?? new Set()).add(file));
    }
  }
  return names;
}

const several = [...groupByName()].filter(([, files]) => files.size > 1);

test("a name that several files export means one thing, and is listed", () => {
  expect(several.length).toBeGreaterThan(5);
  const unlisted = several
    .filter(([name]) => !(name in shared))
    .map(([name, files]) => `${name}: ${[...files].join(", ")}`);
  expect(unlisted, "rename one of them, or list it with what it means everywhere").toEqual([]);
});

test("the list has no name that is not shared any more", () => {
  const names = new Set(several.map(([name]) => name));
  expect(Object.keys(shared).filter((name) => !names.has(name))).toEqual([]);
});

test.each([
  ["export const a = 1;\nexport interface B {}\nconst c = 2;", ["a", "B"]],
  ["export { readTitle as titleOf, type Page } from './page.ts';", ["titleOf"]],
  ["export {\n  one as first,\n  two,\n  three as third,\n};", ["first", "third"]],
])("%j exports the names %j", (text, names) => expect(listExports(text)).toEqual(names));
