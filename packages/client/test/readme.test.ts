import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folder, programs, readme } from "./readme-programs.ts";

const modules = [
  { module: "index", atLeast: 40 },
  { module: "cookies", atLeast: 25 },
  { module: "replay", atLeast: 20 },
  { module: "runs", atLeast: 8 },
];
test.for(modules)("the README names every export of $module", ({ module, atLeast }) => {
  const source = readFileSync(new URL(`src/${module}.ts`, folder), "utf8");
  const names = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) => list.split(","));
  const exported = names.map((name) => name.replace("type ", "").trim()).filter((name) => name !== "");
  expect(exported.length).toBeGreaterThanOrEqual(atLeast);
  expect(exported.filter((name) => !readme.includes(`\`${name}\``) && !readme.includes(`\`${name}(`))).toEqual([]);
});

test("the README has programs, and few that can't be run", () => {
  expect(programs.length).toBeGreaterThanOrEqual(8);
  expect(readme.match(/^```ts ignore$/gm)).toHaveLength(1);
});
