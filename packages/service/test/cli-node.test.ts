import { expect, test } from "vitest";
import { runHere } from "./command-line.ts";

test.each([
  ["20.20.2", 2],
  ["24.9.0", 2],
  ["24.18.0", 0],
  ["26.1.0", 0],
])("Node.js %s ends with %i", async (node, code) => {
  const { versions } = process;
  Object.defineProperty(process, "versions", { ...own("versions"), value: { ...versions, node } });
  try {
    const ended = await runHere(["--version"]);
    expect(ended.code).toBe(code);
    if (code === 2) expect(ended.stderr).toBe(`cloud-browser: it needs Node.js 24.18 or later, this is ${node}\n`);
  } finally {
    Object.defineProperty(process, "versions", { ...own("versions"), value: versions });
  }
});

function own(name: string): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(process, name) ?? {};
}
