import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { examples, quick } from "./examples.ts";
import { folder, runExample } from "./run-example.ts";

test("has a test for every example", () => {
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts") && !file.endsWith(".config.ts"));
  expect(examples.map(({ file }) => file)).toEqual(expect.arrayContaining(files));
});

const some = examples.filter(({ file }) => quick.includes(file));
test.for(some)("runs $file with nothing but a mock", async ({ file, want }) => {
  expect(await runExample(file)).toMatchObject({ code: 0, stderr: "", lines: want });
});
