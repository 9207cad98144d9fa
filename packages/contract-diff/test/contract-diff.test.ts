import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseContract, diffContracts, readContract } from "../src/index.ts";
import { eventEdits } from "./event-edits.ts";
import { nothingEdits } from "./nothing-edits.ts";
import { startPath, type Edit } from "./places.ts";
import { requestEdits } from "./request-edits.ts";
import { responseEdits } from "./response-edits.ts";

const file = fileURLToPath(import.meta.resolve("@cloud-browser/spec/openapi.yaml"));
const older31 = fileURLToPath(import.meta.resolve("@cloud-browser/spec/openapi-3.1.json"));
const contract: { components: object } = parse(readFileSync(file, "utf8"));

const contractEdits = Object.entries({ ...requestEdits, ...responseEdits, ...eventEdits });

/** Returns an edited copy of the contract. */
function editContract(edit: Edit): unknown {
  const edited: { components: object } = structuredClone(contract);
  edit({ contract: edited, ...edited, ...edited.components });
  return edited;
}

function listChanges(edit: Edit): string[] {
  return diffContracts(parseContract("old", contract), parseContract("new", editContract(edit))).changes.map(
    (change) => `${change.class}: ${change.where.join(" > ")}: ${change.what}`,
  );
}

describe("an edit of the contract is told, with its class:", () => {
  test.for(contractEdits)("%s", ([, [edit, ...changes]]) => {
    expect(listChanges(edit)).toEqual(changes);
  });
});

describe("no change is told when", () => {
  test.for(Object.entries(nothingEdits))("%s", ([, edit]) => {
    expect(listChanges(edit)).toEqual([]);
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
  const { changes } = diffContracts(parseContract("old", older), parseContract("new", edited));
  expect(changes.map(({ what }) => what)).toEqual(["the event tool_start was removed: readers wait for it"]);
});

test("what an item of a stream has beside its JSON is told, also where the JSON alone was described", () => {
  const edited = structuredClone(contract);
  nameItems(edited);
  const { changes } = diffContracts(readContract(older31), parseContract("new", edited));
  const apiChanges = changes.filter((change) => change.class !== "documentation");
  expect(apiChanges.map(({ where, what }) => [where.slice(-2).join(" > "), what])).toEqual([
    ["item > event", "a field was added"],
  ]);
});

// oxlint-disable-next-line typescript/no-explicit-any -- part of a JSON document
function nameItems({ paths }: any): void {
  const { itemSchema } = paths[startPath].post.responses["200"].content["text/event-stream"];
  itemSchema.properties.event = { type: "string" };
}

test("of each breaking edit the reverse is reported, too", () => {
  const silent = contractEdits.filter(
    ([, [edit]]) =>
      diffContracts(parseContract("new", editContract(edit)), parseContract("old", contract)).changes.length === 0,
  );
  expect(silent.map(([name]) => name)).toEqual([]);
});

test("a schema that contains itself is compared once", () => {
  const { changes } = diffContracts(parseContract("a", tree("string")), parseContract("b", tree("integer")));
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

describe("refused is", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "contract-diff-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.for([
    { name: "a file that is not there", code: "unreadable", says: "ENOENT" },
    { name: "neither YAML nor JSON", text: "a: [", code: "unreadable", says: "neither YAML nor JSON" },
    { name: "a document of Swagger", text: "swagger: '2.0'", code: "not-openapi", says: "contract.yaml" },
    { name: "OpenAPI 3.0", text: '{"openapi":"3.0.3","paths":{}}', code: "not-openapi", says: "3.0.3" },
    { name: "a reference that leads nowhere", text: referring("#/nowhere"), code: "bad-reference", says: "#/nowhere" },
    { name: "a reference in a circle", text: referring("#/paths/~1a"), code: "bad-reference", says: "#/paths/~1a" },
    { name: "a reference out of it", text: referring("other.yaml#/a"), code: "bad-reference", says: "other.yaml#/a" },
  ])("$name, with a code", ({ text, code, says }) => {
    const path = join(folder, "contract.yaml");
    rmSync(path, { force: true });
    if (text !== undefined) writeFileSync(path, text);
    const refusal = expect.objectContaining({ name: "ContractError", code, message: expect.stringContaining(says) });
    expect(() => diffContracts(readContract(file), readContract(path))).toThrow(refusal);
  });
});

function referring(reference: string): string {
  return JSON.stringify({ openapi: "3.1.0", paths: { "/a": { $ref: reference } } });
}
