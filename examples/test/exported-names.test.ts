import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Names that several packages export, because they mean the same in each of them. */
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
  Redact: "what takes secrets out of a text",
  ScrapeRequest: "the body of a page scrape",
  Segment: "a segment of HLS",
  StartedRun: "a run that has begun",
  Verdict: "what a judge says: of the data, or of the target; both are published",
  exitCodes: "the exit codes of a command line",
  findFfmpeg: "finds ffmpeg; the suite imports nothing of the service",
  isObject: "narrows a JSON value to an object",
  isRecord: "narrows a value to an object",
  redactError: "a thrown value without secrets",
  refuseEmpty: "rejects empty flags of a command line",
  register: "adds a command to a command line",
  runProgram: "runs a command line",
  untilAborted: "waits for a promise or a signal",
  version: "the version of a package, from its manifest",
  guardArguments: "reads what a caller passes, whose getters may throw",
};

const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:interface|type|class|function\*?|const|enum|let) (\w+)/gmu;

/** Packages by the names that they export. */
function packagesByName(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const file of globSync("packages/*/src/**/*.ts", { cwd: root })) {
    const [, owner = ""] = file.split("/");
    for (const [, name = ""] of readFileSync(`${root}${file}`, "utf8").matchAll(exported)) {
      names.set(name, (names.get(name) ?? new Set()).add(owner));
    }
  }
  return names;
}

test("a name that several packages export means one thing, and is listed", () => {
  const several = [...packagesByName()].filter(([, owners]) => owners.size > 1);
  expect(several.length).toBeGreaterThan(5);
  const unlisted = several
    .filter(([name]) => !(name in shared))
    .map(([name, owners]) => `${name}: ${[...owners].join(", ")}`);
  expect(unlisted, "rename one of them, or list it with what it means everywhere").toEqual([]);
});

test("the list has no name that is not shared any more", () => {
  const several = new Set([...packagesByName()].filter(([, owners]) => owners.size > 1).map(([name]) => name));
  expect(Object.keys(shared).filter((name) => !several.has(name))).toEqual([]);
});
