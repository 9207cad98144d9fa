import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { conformance } from "./command.ts";

test.each([
  ["20.20.2", 2],
  ["24.9.0", 2],
  ["24.18.0", 0],
  ["26.1.0", 0],
])("Node.js %s ends with %i", async (node, code) => {
  const pretended = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"${node}"}})`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretended)}` };
  const ended = await conformance(["--version"], { cwd: tmpdir(), env });
  expect(ended.code).toBe(code);
  if (code === 2) expect(ended.stderr).toBe(`conformance: it needs Node.js 24.18 or later, this is ${node}\n`);
});
