import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folder, programs } from "./readme-programs.ts";

const reference = readFileSync(new URL("../../docs/reference/client.md", folder), "utf8");

const modules = [
  { module: "index", atLeast: 40 },
  { module: "cookies", atLeast: 25 },
  { module: "replay", atLeast: 20 },
  { module: "runs", atLeast: 8 },
  { module: "control", atLeast: 25 },
];
test.for(modules)("the reference names every export of $module", ({ module, atLeast }) => {
  const source = readFileSync(new URL(`src/${module}.ts`, folder), "utf8");
  const names = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) => list.split(","));
  const exported = names.map((name) => name.replace("type ", "").trim()).filter((name) => name !== "");
  expect(exported.length).toBeGreaterThanOrEqual(atLeast);
  expect(exported.filter((name) => !reference.includes(`\`${name}\``) && !reference.includes(`\`${name}(`))).toEqual(
    [],
  );
});

test("the README has programs", () => expect(programs.length).toBeGreaterThanOrEqual(3));
