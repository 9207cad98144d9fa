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

/** The texts that an expression may give, as far as they are written out, with `…` for what is filled in. */
function findTexts(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("")];
  }
  if (ts.isParenthesizedExpression(node)) return findTexts(node.expression);
  if (ts.isConditionalExpression(node)) return [...findTexts(node.whenTrue), ...findTexts(node.whenFalse)];
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return [];
  const ends = fillIn(findTexts(node.right));
  return fillIn(findTexts(node.left)).flatMap((start) => ends.map((end) => start + end));
}

function fillIn(texts: readonly string[]): readonly string[] {
  return texts.length === 0 ? ["…"] : texts;
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(`${root}${file}`, "utf8"), ts.ScriptTarget.Latest, true);
}

/** Arguments of the errors that a node makes: by their class, or by a function whose result is thrown. */
function findErrorArguments(node: ts.Node): readonly ts.Expression[] {
  if (ts.isNewExpression(node)) {
    const name = node.expression.getText();
    return name.endsWith("Error") && !foreign.has(name) ? (node.arguments ?? []) : [];
  }
  return ts.isThrowStatement(node) && ts.isCallExpression(node.expression) ? node.expression.arguments : [];
}

/** Messages of the errors that a file makes. */
function listMessages(file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    // Codes have no spaces.
    found.push(
      ...findErrorArguments(node)
        .flatMap(findTexts)
        .filter((text) => text.includes(" ")),
    );
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

/** Texts of a file that have several words, as far as they are written out. */
function listSentences(file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      found.push(...findTexts(node).filter((text) => text.includes(" ")));
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

/** Words that begin as flags do and are not flags of ours: of Playwright, npm and Deno, a property of CSS. */
const foreignFlags = new Set(["--with-deps", "--save-dev", "--allow-env", "--line"]);

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

const messages = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).flatMap((file) =>
  listMessages(file).map((message) => ({ file, message })),
);

test("errors have one style: lower case, no stop at the end, one sentence", () => {
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
  const filesWithFlags = files.filter((file) => findFlag(readFileSync(`${root}${file}`, "utf8")) !== undefined);
  const sentences = filesWithFlags.flatMap((file) => listSentences(file).map((text) => ({ file, text })));
  const faults = sentences.flatMap(({ file, text }) => {
    const flag = findFlag(text);
    return flag === undefined ? [] : [`${file}: ${JSON.stringify(text)} names ${flag}`];
  });
  expect(faults).toEqual([]);
});

test("no error of the client, the suite and what they use as libraries names a flag", () => {
  const library = /^packages\/(?:agent-tools|client|conformance|contract-diff|stream)\/src\/(?!cli[./])/u;
  const own = messages.filter(({ file }) => library.test(file));
  expect(own.length).toBeGreaterThan(100);
  const faults = own.flatMap(({ file, message }) => {
    const flag = findFlag(message);
    return flag === undefined ? [] : [`${file}: ${JSON.stringify(message)} names ${flag}`];
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
