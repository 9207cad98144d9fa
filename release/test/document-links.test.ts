import { expect, test } from "vitest";
import { linksToRepository } from "../src/document-links.ts";

const there = new Set(["docs/guides/errors.md", "docs/recipes", "packages/client/bench/README.md"]);
const rewrite = (text: string, address?: string): string =>
  linksToRepository(text, "packages/client/README.md", address, (path) => there.has(path));

test.for([
  [
    "a page",
    "See [Errors](../../docs/guides/errors.md).",
    "See [Errors](https://git.example/a/b/blob/HEAD/docs/guides/errors.md).",
  ],
  [
    "a place of a page",
    "[x](../../docs/guides/errors.md#codes)",
    "[x](https://git.example/a/b/blob/HEAD/docs/guides/errors.md#codes)",
  ],
  [
    "a folder, in a table",
    "| [all](../../docs/recipes) |",
    "| [all](https://git.example/a/b/blob/HEAD/docs/recipes) |",
  ],
  [
    "words in code",
    "[the `codes`](../../docs/guides/errors.md)",
    "[the `codes`](https://git.example/a/b/blob/HEAD/docs/guides/errors.md)",
  ],
] as const)("a link to %s leads to the repository", ([, text, want]) => {
  expect(rewrite(text, "https://git.example/a/b.git")).toBe(want);
});

test.for([
  ["a file of the package", "[bench](bench/README.md)"],
  ["a place of the document", "[below](#codes)"],
  ["an address", "[site](https://docs.example/../x)"],
  ["a link in code", "`[x](../../docs/none.md)`"],
  ["a link in a fence", "```md\n[x](../../docs/none.md)\n```"],
] as const)("%s stays as it is", ([, text]) => expect(rewrite(text, "https://git.example/a/b")).toBe(text));

test("without an address the path stands behind the words", () => {
  const text = rewrite("See [Errors](../../docs/guides/errors.md#codes), [all](../../docs/recipes).");
  expect(text).toBe("See Errors (`docs/guides/errors.md` in the repository), all (`docs/recipes` in the repository).");
});

test("a link that leads nowhere is told with its document", () => {
  expect(() => rewrite("[x](../../docs/none.md)")).toThrow(
    "packages/client/README.md: the link ../../docs/none.md leads to docs/none.md, which does not exist",
  );
});
