import { join } from "node:path";
import { createRequire } from "node:module";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { listMemberAccesses, type MemberAccess } from "./member-accesses.ts";
import { installOffline } from "./offline-installation.ts";

/** The entry points whose types hold what is on the wire, and how many fields of the contract they show at least. */
const entries = [
  { entry: "@cloud-browser/client", fields: 60 },
  { entry: "@cloud-browser/client/cookies", fields: 15 },
  { entry: "@cloud-browser/client/replay", fields: 5 },
  { entry: "@cloud-browser/stream", fields: 30 },
];

const folder = installOffline(["@cloud-browser/client", "@cloud-browser/stream"]);

describe.each(entries)("who imports $entry", ({ entry, fields }) => {
  test("is shown, by the compiler's own language service, what every field is", () => {
    const file = join(folder, "consumer.ts");
    // Of what tells events apart the type says all there is to say.
    const accesses = listMemberAccesses(folder, file, entry).filter(({ name }) => name !== "type");
    const { text, marks } = makeProgram(entry, accesses);
    const service = createLanguageService(file, text);
    const bare = accesses.filter((_, index) => {
      const hover = service.getQuickInfoAtPosition(file, marks[index] ?? -1);
      return !hover || readDocumentation(hover).trim() === "";
    });
    expect(bare.map(({ type, name }) => `${type}: ${name}`)).toEqual([]);
    expect(accesses.length).toBeGreaterThanOrEqual(fields);
  });
});

test("hover of known fields has the sentence of the contract", () => {
  const file = join(folder, "consumer.ts");
  const text = `import type { CloudBrowser, CookiesResponse } from "@cloud-browser/client";
import type { AutomationEvent } from "@cloud-browser/stream";
declare const cookies: CookiesResponse;
declare const event: AutomationEvent;
cookies.cookies[0].httpOnly;
if (event.type === "done") event.total_cost_usd;
if (event.type === "status") event.status;
`;
  const service = createLanguageService(file, text);
  const shown = ["httpOnly", "total_cost_usd", "event.status"].map((name) => {
    const hover = service.getQuickInfoAtPosition(file, text.indexOf(name) + name.length - 1);
    return hover ? readDocumentation(hover) : "";
  });
  expect(shown).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/dollar/i), expect.stringMatching(/\w/)]);
});

/** What a person reads in a hover: openapi-typescript writes descriptions as tags. */
function readDocumentation(hover: ts.QuickInfo): string {
  const tags = (hover.tags ?? []).filter(({ name }) => name === "description");
  return ts.displayPartsToString([...(hover.documentation ?? []), ...tags.flatMap((tag) => tag.text ?? [])]);
}

/** A program that reads each member once, and where in it each member's name stands. */
function makeProgram(entry: string, accesses: readonly MemberAccess[]): { text: string; marks: number[] } {
  let text = `import type * as entry from "${entry}";\n`;
  const marks = accesses.map(({ type, name }, index) => {
    text += `declare const value${index}: ${type};\nvalue${index}.`;
    const mark = text.length;
    text += `${name};\n`;
    return mark;
  });
  return { text, marks };
}

/** The language service on one file, whose imports lead to the installed packages. */
function createLanguageService(file: string, text: string): ts.LanguageService {
  const lib = join(createRequire(import.meta.url).resolve("typescript"), "..");
  const options: ts.CompilerOptions = {
    // Without `strictNullChecks` a member of what may be missing is reached without a question mark.
    strict: false,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  };
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const content = path === file ? text : ts.sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: () => join(lib, "lib.esnext.full.d.ts"),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
  });
}
