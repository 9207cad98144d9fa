import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { register } from "../../src/cli/contract-diff.ts";
import { commandHere, type EndedHere } from "../cli/command-here.ts";
import { acting, hostile } from "../report/reports.ts";

const file = fileURLToPath(import.meta.resolve("@cloud-browser/spec/openapi.yaml"));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "contract-diff-"));
  const files: Record<string, string> = {
    "added.yaml": readFileSync(file, "utf8").replace("      required: [detail]\n", "      required: [detail, x]\n"),
    "removed.yaml": readFileSync(file, "utf8").replace("required: [cookies]", "required: []"),
    "3.0.json": '{"openapi":"3.0.3","paths":{}}',
    "hostile.json": JSON.stringify({ openapi: "3.1.0", info: { version: hostile }, paths: { [hostile]: { get: {} } } }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

function diff(...args: string[]): Promise<EndedHere> {
  const paths = args.map((arg) => (/\.(yaml|json)$/.test(arg) && arg !== file ? join(folder, arg) : arg));
  return commandHere(register, "contract-diff", ...paths);
}

test("ends with 0 when nothing is breaking, and with 1 when something is", async () => {
  expect(await diff(file, file)).toEqual({ code: 0, stdout: "No change.\nversion 1.4.40, now 1.4.40\n" });
  expect(await diff(file, "added.yaml")).toMatchObject({ code: 0 });
  const { code, stdout } = await diff(file, "removed.yaml");
  expect(code).toBe(1);
  expect(stdout).toContain("Breaking: 1 breaking, 0 additive, 0 documentation.");
  expect(stdout).toContain(
    "breaking (1)\n  GET /sessions/{session_id}/cookies\n    response 200 > application/json > cookies > the field is no longer required",
  );
});

test("prints JSON that holds the same", async () => {
  const { stdout } = await diff(file, "removed.yaml", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ breaking: true, changes: [{ class: "breaking" }] });
});

test("refuses what can't be compared as a mistake of the caller", async () => {
  const refusal = { code: "usage", message: expect.stringContaining("3.0.3") };
  await expect(diff(file, "3.0.json")).rejects.toMatchObject(refusal);
});

test("prints nothing that acts in a terminal, whatever a document holds", async () => {
  const { stdout } = await diff(file, "hostile.json");
  expect(stdout).toContain("<script>");
  expect(stdout).not.toMatch(acting);
});
