import { readFileSync } from "node:fs";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { register } from "../../src/cli/contract-diff.ts";
import { diffContracts } from "../../src/contract-diff/contract-diff.ts";
import { contractOf, readContract } from "../../src/contract-diff/document.ts";
import { renderContractChanges } from "../../src/contract-diff/changes-text.ts";
import { commandHere, type EndedHere } from "../cli/command-here.ts";
import { eventEdits } from "./event-edits.ts";
import { nothingEdits } from "./nothing-edits.ts";
import { startPath } from "./places.ts";
import { requestEdits } from "./request-edits.ts";
import { responseEdits } from "./response-edits.ts";
import { acting, hostile } from "../report/reports.ts";

const file = fileURLToPath(import.meta.resolve("@cloud-browser/spec/openapi.yaml"));
const older31 = fileURLToPath(import.meta.resolve("@cloud-browser/spec/openapi-3.1.json"));
const contract: unknown = parse(readFileSync(file, "utf8"));

const contractEdits = [...requestEdits, ...responseEdits, ...eventEdits];

// oxlint-disable-next-line typescript/no-explicit-any -- an edit reaches into a JSON document
type Edit = (contract: any) => void;

function changesOf(edit: Edit): string[] {
  const edited = structuredClone(contract);
  edit(edited);
  return diffContracts(contractOf("old", contract), contractOf("new", edited)).changes.map(
    (change) => `${change.class}: ${change.where.join(" > ")}: ${change.what}`,
  );
}

describe("an edit of the contract is told, with its class:", () => {
  test.for(contractEdits)("$name", ({ edit, want }) => {
    expect(changesOf(edit)).toEqual(want);
  });
});

describe("no change is told when", () => {
  test.for(nothingEdits)("$name", ({ edit }) => {
    expect(changesOf(edit)).toEqual([]);
  });

  test("the document of OpenAPI 3.1 says the same, without variables in addresses and with events as the schema of the stream", () => {
    const older = readContract(older31);
    const { changes } = diffContracts(readContract(file), older);
    expect(changes.filter((change) => change.class !== "documentation")).toEqual([]);
    expect(diffContracts(older, older).sentence).toBe("No change.");
  });
});

test("an event removed is told between documents of OpenAPI 3.1, too", () => {
  const older: { components: { schemas: { AutomationEvent: { oneOf: unknown[] } } } } = JSON.parse(
    readFileSync(older31, "utf8"),
  );
  const edited = structuredClone(older);
  edited.components.schemas.AutomationEvent.oneOf.splice(3, 1);
  const { changes } = diffContracts(contractOf("old", older), contractOf("new", edited));
  expect(changes.map(({ what }) => what)).toEqual(["the event tool_start was removed: readers wait for it"]);
});

test("what an item of a stream has beside its JSON is told, also where the JSON alone was described", () => {
  const edited = structuredClone(contract);
  nameItems(edited);
  const { changes } = diffContracts(readContract(older31), contractOf("new", edited));
  const told = changes.filter((change) => change.class !== "documentation");
  expect(told.map(({ where, what }) => [where.slice(-2).join(" > "), what])).toEqual([
    ["item > event", "a field was added"],
  ]);
});

// oxlint-disable-next-line typescript/no-explicit-any -- part of a JSON document
function nameItems({ paths }: any): void {
  const { itemSchema } = paths[startPath].post.responses["200"].content["text/event-stream"];
  itemSchema.properties.event = { type: "string" };
}

test("each breaking edit is undone by one that is not passed over either", () => {
  const silent = contractEdits.filter(({ edit }) => {
    const edited = structuredClone(contract);
    // oxlint-disable-next-line typescript/no-unsafe-argument -- a JSON document
    edit(edited);
    return diffContracts(contractOf("new", edited), contractOf("old", contract)).changes.length === 0;
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test("a schema that contains itself is compared once", () => {
  const { changes } = diffContracts(contractOf("a", tree("string")), contractOf("b", tree("integer")));
  expect(changes.map(({ what }) => what)).toEqual([
    "type: integer is allowed now",
    "type: string is no longer allowed",
  ]);
});

function tree(type: string): unknown {
  return {
    openapi: "3.1.0",
    paths: {
      "/t": {
        get: {
          responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } } } },
        },
      },
    },
    components: {
      schemas: { Tree: { properties: { name: { type }, children: { items: { $ref: "#/components/schemas/Tree" } } } } },
    },
  };
}

describe("the command", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "contract-diff-"));
    const files: Record<string, string> = {
      "added.yaml": readFileSync(file, "utf8").replace("      required: [detail]\n", "      required: [detail, x]\n"),
      "removed.yaml": readFileSync(file, "utf8").replace("required: [cookies]", "required: []"),
      "swagger.yaml": "swagger: '2.0'",
      "3.0.json": '{"openapi":"3.0.3","paths":{}}',
      "broken.yaml": "a: [",
      "nowhere.json": '{"openapi":"3.1.0","paths":{"/a":{"$ref":"#/nowhere"}}}',
      "circle.json": '{"openapi":"3.1.0","paths":{"/a":{"$ref":"#/paths/~1a"}}}',
      "outside.json": '{"openapi":"3.1.0","paths":{"/a":{"$ref":"other.yaml#/a"}}}',
      "hostile.json": JSON.stringify({
        openapi: "3.1.0",
        info: { version: hostile },
        paths: { [hostile]: { get: {} } },
      }),
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

  test.for([
    { name: "none.yaml", says: "the contract can't be read: ENOENT" },
    { name: "broken.yaml", says: "broken.yaml is neither YAML nor JSON: " },
    { name: "swagger.yaml", says: "swagger.yaml is not an OpenAPI document" },
    { name: "3.0.json", says: "3.0.json uses OpenAPI 3.0.3; only 3.1 and 3.2 are supported" },
    { name: "nowhere.json", says: "nowhere.json: the reference #/nowhere can't be resolved" },
    { name: "circle.json", says: "circle.json: the reference #/paths/~1a is circular" },
    {
      name: "outside.json",
      says: "outside.json refers to other.yaml#/a: references to other documents are not supported",
    },
  ])("refuses $name, with a sentence", async ({ name, says }) => {
    await expect(diff(file, name)).rejects.toMatchObject({ code: "usage", message: expect.stringContaining(says) });
  });

  test("prints nothing that acts in a terminal, whatever a document holds", () => {
    const text = renderContractChanges(diffContracts(readContract(file), readContract(join(folder, "hostile.json"))));
    expect(text).not.toMatch(acting);
  });
});
