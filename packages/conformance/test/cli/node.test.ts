import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { conformance } from "./command.ts";

const refused = (node: string): string => `conformance: needs Node.js 24.18 or later; this is Node.js ${node}\n`;

test.each([
  ["20.20.2", 2, refused("20.20.2")],
  ["24.9.0", 2, refused("24.9.0")],
  ["24.18.0", 0, ""],
  ["26.1.0", 0, ""],
])("Node.js %s ends with %i", async (node, code, stderr) => {
  const pretended = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"${node}"}})`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretended)}` };
  const ended = await conformance(["--version"], { cwd: tmpdir(), env });
  expect(ended).toMatchObject({ code, stderr });
});
