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

/** Functions that make an error, a failure or the answer of one from its text. */
const makers = /(?:Error|Failure|Problem|[Rr]efusal|misuse)$/u;

/** Returns whether a node makes an error by its class, or is such a call whose result may be returned. */
function isMaker(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  if (ts.isCallExpression(node)) return makers.test(node.expression.getText());
  if (!ts.isNewExpression(node)) return false;
  const name = node.expression.getText();
  return name.endsWith("Error") && !foreign.has(name);
}

/** A text that a file gives to an error. */
interface Message {
  readonly file: string;
  readonly message: string;
  /** False when it may be that of a failure or an answer, which have a style of their own. */
  readonly isThrown: boolean;
}

/** Messages of the errors that a file makes, each as often as it is written there. */
function listMessages(file: string): readonly Message[] {
  const found: Message[] = [];
  const visit = (node: ts.Node, isThrown: boolean): void => {
    if (isMaker(node) || (isThrown && ts.isCallExpression(node))) {
      const own = isThrown || ts.isNewExpression(node);
      // Codes have no spaces.
      const texts = (node.arguments ?? []).flatMap(findTexts).filter((text) => text.includes(" "));
      found.push(...texts.map((message) => ({ file, message, isThrown: own })));
    }
    ts.forEachChild(node, (child) => visit(child, ts.isThrowStatement(node)));
  };
  visit(parse(file), false);
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

const allMessages = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).flatMap(listMessages);
const messages = allMessages.filter(({ isThrown }) => isThrown);

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

/** Texts that a package may write twice, and why. */
const repeatable = new Set([
  // Files that are loaded without each other, and whose bytes are counted: a function costs more there than a text that is packed.
  "client: a header can't be sent",
  "client: options must be an object",
  "stream: chunk is not a Uint8Array",
  // Errors of different codes, with nothing but the address and the status.
  "client: … answered with …",
  // Verdicts of checks, whose values differ in kind.
  "conformance: The response has …, which the suite does not judge.",
  "conformance: The target answered …: it asks to retry later.",
]);

/** Returns the messages that a package writes twice, each behind the name of the package. */
function findRepeated(found: readonly Pick<Message, "file" | "message">[]): readonly string[] {
  const texts = found
    // Those with fewer words that follow each other are only the form of a text.
    .filter(({ message }) => /[a-z]+ [a-z]+/u.test(message))
    .map(({ file, message }) => `${file.split("/")[1]}: ${message}`);
  return [...new Set(texts.filter((text, at) => texts.indexOf(text) < at))];
}

test("a package writes the text of an error once: a function that makes the error, or a constant, has it", () => {
  expect(allMessages.length).toBeGreaterThan(messages.length);
  expect(new Set(findRepeated(allMessages))).toEqual(repeatable);
});

test("a text that one package writes twice is found, in one file or two", () => {
  const a = { file: "packages/a/src/one.ts", message: "the page has crashed" };
  const b = { file: "packages/b/src/one.ts", message: "the page has crashed" };
  expect(findRepeated([a, b, { ...a, message: "…: …" }, { ...a, message: "…: …" }])).toEqual([]);
  expect(findRepeated([a, b, { ...a, file: "packages/a/src/two.ts" }])).toEqual(["a: the page has crashed"]);
  expect(findRepeated([b, b])).toEqual(["b: the page has crashed"]);
});

test.each([
  ["give another folder with --data", "--data"],
  ["Input should be at most … (--max-wait-s)", "--max-wait-s"],
  ["run: … --with-deps; or raise --max-runs", "--max-runs"],
  ["give another folder with `data`", undefined],
  ["--host-resolver-rules=MAP * ~NOTFOUND", undefined],
])("in %j the flag is %s", (text, flag) => expect(findFlag(text)).toBe(flag));
