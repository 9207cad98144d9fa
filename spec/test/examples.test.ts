import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import openapi from "../generated/openapi.json" with { type: "json" };
import { listProblems } from "./contract.ts";

const folder = new URL("../examples/", import.meta.url);
const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.includes("."))
  .map((path) => path.replaceAll("\\", "/"));
const names = paths.map((path) => path.replace(/^.*\//, ""));
const read = (name: string): string => {
  const path = paths.find((each) => each.endsWith(`/${name}`));
  return readFileSync(new URL(path ?? name, folder), "utf8");
};

/** Where the contract has the schema of an example; files, in a folder for each operation, are named `<operation>.<status or request>.<what>`. */
const schemaOf: readonly (readonly [name: RegExp, pointer: string])[] = [
  [/^scrape\.request\./, "/components/schemas/ScrapeRequest"],
  [/^scrape\.200\./, "/components/schemas/DataSpace"],
  [/^cookies\.200\./, "/components/schemas/CookiesResponse"],
  [/^replay\.200\./, "/components/schemas/ReplayResponse"],
  [/^validation\.422\./, "/components/schemas/HTTPValidationError"],
  [/^automation\.request\./, "/components/schemas/AutomationRequest"],
  [/^automation\.(400|401|502)\./, "/components/responses/NotDescribed/content/application~1json/schema"],
  [/^error\.default\./, "/components/responses/NotDescribed/content/application~1json/schema"],
];

/** The schema of each listed type of event, as the contract's union has it. */
const eventSchemas = new Map(
  Object.entries(openapi.components.schemas.AutomationEvent.discriminator.mapping).map(([type, reference]) => [
    type,
    reference.slice(1),
  ]),
);

const terminal = ["done", "error", "timeout", "cancelled"];

function readEvents(name: string): { type: string }[] {
  const lines = read(name).split("\n\n").filter(Boolean);
  expect(lines.filter((line) => !/^data: \{.*\}$/.test(line))).toEqual([]);
  return lines.map((line): { type: string } => JSON.parse(line.slice("data: ".length)));
}

describe("an example body", () => {
  test.for(names.filter((name) => name.endsWith(".json")))("%s validates against the contract", (name) => {
    const [, pointer] = schemaOf.find(([pattern]) => pattern.test(name)) ?? [];
    expect(pointer, `no schema is known for ${name}`).toBeDefined();
    expect(listProblems(pointer ?? "", JSON.parse(read(name)))).toEqual([]);
  });
});

describe("an example stream", () => {
  const streams = names.filter((name) => name.endsWith(".sse"));

  test.for(streams)("%s holds events that validate against the schema of their type", (name) => {
    for (const event of readEvents(name)) {
      expect(listProblems(eventSchemas.get(event.type) ?? "", event)).toEqual([]);
    }
  });

  test.for(streams)("%s has one terminal event, which is the last", (name) => {
    const types = readEvents(name).map(({ type }) => type);
    expect(types.filter((type) => terminal.includes(type))).toEqual(types.slice(-1));
  });

  test("exists for every way in which a stream can end", () => {
    const endings = new Set(streams.map((name) => readEvents(name).at(-1)?.type));
    expect(endings).toEqual(new Set(terminal));
  });

  test("exists for every type of event", () => {
    const types = new Set(streams.flatMap((name) => readEvents(name).map(({ type }) => type)));
    expect(types).toEqual(new Set(eventSchemas.keys()));
  });
});

test("every example is used by the contract, and every file that it names exists", () => {
  const usedNames = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "externalValue") usedNames.add(String(value).replace("examples/", ""));
      else collect(value);
    }
  };
  collect(parse(readFileSync(new URL("../openapi.yaml", import.meta.url), "utf8")));
  expect([...usedNames].sort()).toEqual(paths.sort());
});

test("the example of an answer that is not described names no cause: a mock gives it for any, such as a missing key", () => {
  expect(read("error.default.not-described.json")).not.toMatch(/session|key|token|replay|found/i);
});
