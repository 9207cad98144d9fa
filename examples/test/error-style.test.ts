import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Words that begin with a capital letter wherever they stand. */
const proper =
  /^(?:Chromium|Node|Playwright|Puppeteer|PostgreSQL|Debian|English|DevTools|[A-Z]{2,}|[A-Z]\d|XPath|MiB)/u;

/** Errors of libraries, which have a style of their own. */
const foreign = new Set(["InvalidArgumentError"]);

/** The text of a message as far as it is written out, with `…` for what is filled in. */
function findText(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
}

/** Messages of the errors that a file makes. */
function listMessages(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(`${root}${file}`, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isNewExpression(node) &&
      node.expression.getText().endsWith("Error") &&
      !foreign.has(node.expression.getText())
    ) {
      const texts = (node.arguments ?? []).map(findText).filter((text) => text !== undefined);
      // The first of two texts is the code.
      const message = texts.length > 1 ? texts[1] : texts[0];
      if (message?.includes(" ")) found.push(message);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Texts of a file that have several words, as far as they are written out. */
function listSentences(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(`${root}${file}`, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ? findText(node) : undefined;
    if (text?.includes(" ")) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Words that begin as flags do and are not flags of the service: a flag of Playwright, a property of CSS. */
const foreignFlags = new Set(["--with-deps", "--line"]);

/** Returns the first flag of a command line within a text; undefined when it names none. */
function findFlag(text: string): string | undefined {
  const flags = text.matchAll(/(?<=[\s(`'"])--[a-z][a-z-]*/gu);
  return [...flags].map(([flag]) => flag).find((flag) => !foreignFlags.has(flag));
}

/** Returns what is wrong with the style of a message; undefined when nothing is. */
function findFault(message: string): string | undefined {
  if (/^[A-Z]/u.test(message) && !proper.test(message)) return "begins with a capital letter";
  if (/(?<!\.)\.$/u.test(message)) return "ends with a stop";
  const [, next] = /[^.]\. ([A-Z]\w*)/u.exec(message) ?? [];
  return next === undefined || proper.test(next) ? undefined : "has two sentences: part them by a semicolon";
}

test("errors have one style: lower case, no stop at the end, one sentence", () => {
  const files = globSync("packages/*/src/**/*.ts", { cwd: root });
  const messages = files.flatMap((file) => listMessages(file).map((message) => ({ file, message })));
  expect(messages.length).toBeGreaterThan(200);
  const faults = messages.flatMap(({ file, message }) => {
    const fault = findFault(message);
    return fault === undefined ? [] : [`${file}: ${JSON.stringify(message)} ${fault}`];
  });
  expect(faults).toEqual([]);
});

test.each([
  ["The page has crashed", "begins with a capital letter"],
  ["the page has crashed.", "ends with a stop"],
  ["the page has crashed. Open it again", "has two sentences: part them by a semicolon"],
  ["the page has crashed; open it again", undefined],
  ["Chromium could not be started", undefined],
  ["HTTP 500 from the store", undefined],
])("%j: %s", (message, fault) => expect(findFault(message)).toBe(fault));

test("no text of the service as a library names a flag: options have their own names, which the command line maps to flags", () => {
  const parts = "packages/{automation,browsers,page-content,recorder,service}/src/**/*.ts";
  const files = globSync(parts, { cwd: root }).filter((file) => !file.startsWith("packages/service/src/cli/"));
  expect(files.length).toBeGreaterThan(300);
  // Few have one at all, in a comment or as a flag of Chromium.
  const named = files.filter((file) => findFlag(readFileSync(`${root}${file}`, "utf8")) !== undefined);
  const sentences = named.flatMap((file) => listSentences(file).map((text) => ({ file, text })));
  const faults = sentences.flatMap(({ file, text }) => {
    const flag = findFlag(text);
    return flag === undefined ? [] : [`${file}: ${JSON.stringify(text)} names ${flag}`];
  });
  expect(faults).toEqual([]);
});

test.each([
  ["give another folder with --data", "--data"],
  ["Input should be at most … (--max-wait-s)", "--max-wait-s"],
  ["run: … --with-deps; or raise --max-runs", "--max-runs"],
  ["give another folder with `data`", undefined],
  ["--host-resolver-rules=MAP * ~NOTFOUND", undefined],
])("in %j the flag is %s", (text, flag) => expect(findFlag(text)).toBe(flag));
