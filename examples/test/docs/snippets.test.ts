import { expect, test } from "vitest";
import { fillSnippets, quote } from "../../../docs/scripts/quoted-code.ts";

const program = `import { a } from "a";

// #region whole
function f() {
  // #region body
  const x = a();

  if (x) {
    return x;
  }
  // #endregion body
}
// #endregion whole
`;

test.for([
  ["a region, without its indentation and its marks", program, "body", "const x = a();||if (x) {|  return x;|}"],
  [
    "a region that has another one, without the marks of both",
    program,
    "whole",
    "function f() {|  const x = a();||  if (x) {|    return x;|  }|}",
  ],
  ["a whole file", "// #region a\nlet a;\n// #endregion a\nlet b;\n\n", undefined, "let a;|let b;"],
  ["comments of YAML", "jobs:\n  # #region job\n  a:\n    b: 1\n  # #endregion job\n", "job", "a:|  b: 1"],
  ["comments of YAML, as editors write them", "#region job\na: 1\n# endregion job\n", "job", "a: 1"],
  ["comments of HTML", "<!-- #region a -->\n<p>\n<!-- #endregion a -->\n", "a", "<p>"],
  ["lines that end as on Windows", "// #region a\r\n\tx\r\n\t\ty\r\n// #endregion a\r\n", "a", "x|\ty"],
] as const)("quotes %s", ([, source, region, want]) => {
  expect(quote(source, region)).toEqual(want.split("|"));
});

test.for([
  ["no such region", program, "other", 'has no line "#region other"'],
  ["a region that never ends", "// #region a\nx\n", "a", 'has no line "#endregion a" after'],
  [
    "a region that ends before it begins",
    "// #endregion a\nx\n// #region a\n",
    "a",
    'has no line "#endregion a" after',
  ],
  ["two regions of a name", "// #region a\nx\n// #endregion a\n// #region a\n", "a", 'more than one region "a"'],
  ["an empty region", "// #region a\n\n// #endregion a\n", "a", 'has nothing in its region "a"'],
  ["an empty file", "\n", undefined, "is empty"],
] as const)("says what is wrong with %s", ([, source, region, want]) => {
  expect(quote(source, region)).toContain(want);
});

const files: Record<string, string> = { "examples/a.ts": program, "action.yml": "name: a\n", "packages/a.ts": "x\n" };
const fill = (text: string, mayStandAlone = false) =>
  fillSnippets({ path: "docs/a.md", text, mayStandAlone }, (path) => files[path]);

test.for([
  ["an empty fence", "```ts from=examples/a.ts#body\n```\n", "```ts from=examples/a.ts#body\nconst x = a();\n\n"],
  ["other words of the fence", "```ts title=x from=examples/a.ts#body\nold\n```\n", "\nconst x = a();\n\nif"],
  [
    "a fence in a list",
    "- a\n\n  ~~~ts from=examples/a.ts#body\n  old\n  ~~~\n",
    "\n  const x = a();\n\n  if (x) {\n    r",
  ],
  [
    "what is no program, from another place",
    "```yaml from=action.yml\n```\n",
    "```yaml from=action.yml\nname: a\n```\n",
  ],
] as const)("fills %s", ([, page, want]) => {
  const { text, problems } = fill(page);
  expect(problems).toEqual([]);
  expect(text).toContain(want);
  expect(text).not.toContain("old");
  expect(fill(text).text).toBe(text);
});

test.for([
  ["a fence without a source that is no program", "```sh\nnpm start\n```\n"],
  ["a fence in a longer fence", "````md\n```ts\nx\n```\n````\n"],
  ["no code at all", "a `from=b` c\n"],
] as const)("leaves %s as it is", ([, page]) => {
  expect(fill(page)).toEqual({ text: page, problems: [] });
});

test.for([
  ["a program without a source", "a\n```ts\nx\n```\n", "docs/a.md:2: a program in ts names no source"],
  ["a file that is not there", "```ts from=examples/b.ts\n```\n", "docs/a.md:1: examples/b.ts does not exist"],
  ["a program that no test runs", "```ts from=packages/a.ts\n```\n", "packages/a.ts is not in examples/"],
  [
    "a file of another folder",
    "```sh from=packages/a.sh\n```\n",
    "packages/a.sh is in none of examples/, spec/, action.yml",
  ],
  ["a path out of the repository", "```sh from=../a.sh\n```\n", "not a path from the root"],
  ["a path out of the folder", "```ts from=examples/../packages/a.ts\n```\n", "not a path from the root"],
  ["a region that is not there", "```ts from=examples/a.ts#no\n```\n", 'examples/a.ts has no line "#region no"'],
  ["a fence that is never closed", "```sh\na\n", "docs/a.md:1: the fence is never closed"],
] as const)("refuses %s, and leaves it as it is", ([, page, want]) => {
  const { text, problems } = fill(page);
  expect(text).toBe(page);
  expect(problems).toEqual([expect.stringContaining(want)]);
});

test("a README may have programs that stand alone", () => {
  expect(fill("```ts\nx\n```\n", true).problems).toEqual([]);
});
