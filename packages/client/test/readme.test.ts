import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folder, programs } from "./readme-programs.ts";

const reference = readFileSync(new URL("../../docs/reference/client.md", folder), "utf8");

const modules = [
  { module: "index", among: "createCloudBrowser" },
  { module: "cookies", among: "toPlaywrightCookies" },
  { module: "replay", among: "downloadReplay" },
  { module: "runs", among: "attachRun" },
  { module: "control", among: "createControl" },
];
test.for(modules)("the reference names every export of $module", ({ module, among }) => {
  const source = readFileSync(new URL(`src/${module}.ts`, folder), "utf8");
  const names = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) => list.split(","));
  const exported = names.map((name) => name.replace("type ", "").trim()).filter((name) => name !== "");
  expect(exported).toContain(among);
  expect(exported.filter((name) => !reference.includes(`\`${name}\``) && !reference.includes(`\`${name}(`))).toEqual(
    [],
  );
});

test("the README has programs", () => expect(programs.length).toBeGreaterThanOrEqual(3));
