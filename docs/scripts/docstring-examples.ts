import { fillSnippets, type FilledPage, type Page } from "./quoted-code.ts";

/** A docstring that has an example, with the indentation of its first line. */
const docstring =
  /^(?<indent>[ \t]*)\/\*\*\n(?:[ \t]*\*(?!\/).*\n)*?[ \t]*\* @example\n(?:[ \t]*\*(?!\/).*\n)*?[ \t]*\*\//gm;

/**
 * Fills the examples in the docstrings of a source file: each `@example` has a fence that names its program, as pages do.
 *
 * @param readSource - Returns the text of a file of the repository; undefined when it does not exist.
 */
export function fillDocstrings(page: Page, readSource: (path: string) => string | undefined): FilledPage {
  const problems: string[] = [];
  const text = page.text.replaceAll(docstring, (block, _, offset: number) => {
    const indent = /^[ \t]*/.exec(block)?.[0] ?? "";
    const firstLine = page.text.slice(0, offset).split("\n").length + 1;
    const lines = block.split("\n").slice(1, -1);
    const content = lines.map((line) => line.replace(/^[ \t]*\* ?/, "")).join("\n");
    const filled = fillSnippets({ ...page, text: content, firstLine, mayStandAlone: false }, readSource);
    problems.push(...filled.problems);
    if (filled.text.includes("*/")) {
      problems.push(`${page.path}:${firstLine}: a program of a docstring can't contain "*/"`);
      return block;
    }
    const starred = filled.text.split("\n").map((line) => `${indent} *${line === "" ? "" : ` ${line}`}`);
    return [`${indent}/**`, ...starred, `${indent} */`].join("\n");
  });
  return { text, problems };
}
