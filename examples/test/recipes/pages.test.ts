import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findPrinted, recipePages } from "./pages.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("every program of a recipe has a page, and a test that runs it", () => {
  const programs = globSync("recipes/*/*", { cwd: root });
  expect(programs.length).toBeGreaterThan(25);
  const quoted = new Set(recipePages.map(({ program }) => program));
  const tests = globSync("test/**/*.test.ts", { cwd: root }).map((file) => readFileSync(root + file, "utf8"));
  const missing = programs.filter(
    (program) => !quoted.has(program) || !tests.some((text) => text.includes(program.replace(/^recipes\//, ""))),
  );
  expect(missing).toEqual([]);
});

test("every page says what for, quotes one program, says what it prints and what can go wrong", () => {
  expect(recipePages.length).toBeGreaterThanOrEqual(25);
  const lacking = recipePages.filter(
    (page) =>
      !/^---\ntitle: .+\ndescription: .+\n---\n\n\S/.test(page.text) ||
      page.program === undefined ||
      !findPrinted(page)?.trim() ||
      !/\n## What can go wrong\n\n- \S/.test(page.text),
  );
  expect(lacking.map(({ path }) => path)).toEqual([]);
});

test("the list of recipes has every one", () => {
  const list = readFileSync(new URL("../../../docs/recipes/README.md", import.meta.url), "utf8");
  expect(recipePages.filter(({ path }) => !list.includes(`(${path})`)).map(({ path }) => path)).toEqual([]);
});
