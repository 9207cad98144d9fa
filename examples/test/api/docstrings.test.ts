import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { fillDocstrings } from "../../../docs/scripts/docstring-examples.ts";
import { programs } from "./run-program.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const readText = (path: string): string => readFileSync(join(root, path), "utf8");
const parse = (path: string): ts.SourceFile => ts.createSourceFile(path, readText(path), ts.ScriptTarget.Latest, true);

const entries = globSync(
  [
    "packages/{agent-tools,automation,browsers,client,conformance,contract-diff,page-content,recorder,service,stream}/src/index.ts",
    "packages/client/src/{control,cookies,replay,runs}.ts",
    "packages/agent-tools/src/{ai-sdk,json-schema,mcp}.ts",
    "packages/conformance/src/bindings/{node-test,playwright,vitest}.ts",
  ],
  { cwd: root },
).sort();

/** Exported functions and classes whose use needs no example, and why. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  "errors are caught as ClientError and StreamError are": [
    "automation:AutomationError",
    "browsers:BrowserError",
    "conformance:SuiteError",
    "contract-diff:ContractError",
    "page-content:PageContentError",
    "recorder:RecorderError",
    "service:ServiceError",
  ],
  "parts of a comparison, which the example of diffContracts has": [
    "contract-diff:parseContract",
    "contract-diff:readContract",
  ],
  "used as prismTarget is": ["conformance:serviceTarget", "conformance:startPrism"],
  "returns what it is given": ["conformance:defineConfig"],
  "a command line": ["agent-tools:runMcpCommand"],
  "parts of a relay, which need a WebSocket and a client": ["browsers:RelayedSession", "browsers:relaySession"],
  "watch what can't be shown in a few lines": ["browsers:collectGarbage", "browsers:onConsoleFlood"],
  "runs in a page": ["page-content:readTableCells"],
  "parts of a recording, which the example of Recordings has": [
    "recorder:Journal",
    "recorder:Recorder",
    "recorder:answered",
    "recorder:explainMissingReplay",
    "recorder:findVideo",
    "recorder:measureProgress",
    "recorder:notFinished",
    "recorder:serveRecording",
    "recorder:viewOfRecording",
  ],
  "phrases about a failed disk": ["recorder:adviceOnStorage", "recorder:describeStorageError", "recorder:isAbsence"],
};
const excepted = Object.values(exceptions).flat();

interface Declared {
  /** Package and name: `client:createCloudBrowser`. */
  readonly name: string;
  readonly hasExample: boolean;
}

/** Functions and classes that an entry point exports. */
function listExports(entry: string): Declared[] {
  const owner = entry.split("/")[1] ?? "";
  return parse(entry).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) return describe(owner, statement);
    const { exportClause, moduleSpecifier } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause) || !moduleSpecifier) return [];
    if (!ts.isStringLiteral(moduleSpecifier) || !moduleSpecifier.text.startsWith(".")) return [];
    const names = new Set(
      exportClause.elements
        .filter(({ isTypeOnly }) => !isTypeOnly)
        .map(({ name, propertyName }) => (propertyName ?? name).text),
    );
    const file = posix.join(dirname(entry), moduleSpecifier.text);
    return parse(file).statements.flatMap((each) =>
      ts.isFunctionDeclaration(each) || ts.isClassDeclaration(each)
        ? names.has(each.name?.text ?? "")
          ? describe(owner, each)
          : []
        : [],
    );
  });
}

function describe(owner: string, node: ts.Statement): Declared[] {
  if (!ts.isFunctionDeclaration(node) && !ts.isClassDeclaration(node)) return [];
  if (!node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  const hasExample = ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "example");
  return [{ name: `${owner}:${node.name?.text ?? ""}`, hasExample }];
}

const declared = entries.flatMap(listExports);

test("every exported function and class has an example, or is listed as one that needs none", () => {
  const missing = declared.filter(({ name, hasExample }) => !hasExample && !excepted.includes(name));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test("no listed exception has an example, or is not exported", () => {
  const without = new Set(declared.filter(({ hasExample }) => !hasExample).map(({ name }) => name));
  expect(excepted.filter((name) => !without.has(name))).toEqual([]);
});

/** Beginnings that are neither a verb nor the noun of the thing. */
const questions = /\/\*\*\s+(?:\* )?(?:What|Whether|Why)\b[^\n]*/g;

test("no docstring begins with What, Whether or Why", () => {
  const found = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root, exclude: ["packages/automation/**"] }).flatMap(
    (path) => [...readText(path).matchAll(questions)].map(([text]) => `${path}: ${text}`),
  );
  expect(found, "begin with what the thing does or is").toEqual([]);
});

test("every program is quoted by one docstring of its package", () => {
  const sources = globSync("packages/*/src/**/*.ts", { cwd: root }).map((path) => [path, readText(path)] as const);
  const quoting = programs.map((program) => {
    const fence = `\`\`\`ts from=examples/api/${program}\n`;
    const [owner = ""] = program.split("/");
    return [
      program,
      sources.filter(([path, text]) => path.startsWith(`packages/${owner}/`) && text.includes(fence)).length,
    ];
  });
  expect(quoting.filter(([, count]) => count !== 1)).toEqual([]);
});

const source = (fence: string): string =>
  `/**\n * Adds.\n *\n * @example\n * \`\`\`ts${fence}\n * old\n * \`\`\`\n */\nexport function add(): void {}\n`;
const page = (text: string) => ({ path: "packages/a/src/a.ts", text, mayStandAlone: true });

test("fills the fence of an example, and leaves the code as it is", () => {
  const { text, problems } = fillDocstrings(page(source(" from=examples/a.ts")), () => "a();\n\nb();\n");
  expect(problems).toEqual([]);
  expect(text).toBe(source(" from=examples/a.ts").replace(" * old", " * a();\n *\n * b();"));
});

test.for([
  ["that names no program", source(""), "a();", "packages/a/src/a.ts:5: a program in ts names no source"],
  ["whose program does not exist", source(" from=examples/a.ts"), undefined, "examples/a.ts does not exist"],
  ["whose program ends the comment", source(" from=examples/a.ts"), "/* a */", `can't contain "*/"`],
] as const)("refuses an example %s, and leaves it as it is", ([, text, program, problem]) => {
  const filled = fillDocstrings(page(text), () => program);
  expect(filled).toEqual({ text, problems: [expect.stringContaining(problem)] });
});
