import { expect, test } from "vitest";
import { runHere } from "../command-line.ts";

const refused = (node: string): string => `cloud-browser: it needs Node.js 24.18 or later, this is ${node}\n`;

test.each([
  ["20.20.2", 2, refused("20.20.2")],
  ["24.9.0", 2, refused("24.9.0")],
  ["24.18.0", 0, ""],
  ["26.1.0", 0, ""],
])("Node.js %s ends with %i", async (node, code, stderr) => {
  const { versions } = process;
  Object.defineProperty(process, "versions", { ...own("versions"), value: { ...versions, node } });
  try {
    const ended = await runHere(["--version"]);
    expect(ended).toMatchObject({ code, stderr });
  } finally {
    Object.defineProperty(process, "versions", { ...own("versions"), value: versions });
  }
});

function own(name: string): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(process, name) ?? {};
}
