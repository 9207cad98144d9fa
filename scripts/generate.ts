/**
 * Derives `spec/generated/` from `spec/openapi.yaml`, `requirements.yaml` and `readings.yaml`, and the types of the control interface from
 * its document.
 *
 *   node scripts/generate.ts           writes the files
 *   node scripts/generate.ts --check   compares only; exit code 1 and the first difference when a file is not current
 *   node scripts/generate.ts --automation-word acme --service-word acme --out folder
 *                                      writes the contract with the words of a service into a folder, and nothing else
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";
import { parse } from "yaml";
import { eventSchemas } from "./event-schemas.ts";
import { closeUnions } from "./event-union.ts";
import type { Json } from "./json.ts";
import { downgrade } from "./openapi-3.1.ts";
import { mockable } from "./openapi-mock.ts";
import { createOverlay } from "./openapi-overlay.ts";
import { writeContract } from "../spec/words/own-words.mjs";

const spec = new URL("../spec/", import.meta.url);
const typesHeader = "// Generated from openapi.yaml by `npm run generate`. Do not edit.\n\n";
const control = new URL("../packages/service/src/control/control.openapi.json", import.meta.url);

/** What the contract leaves open is unknown; what has a default may still be missing. */
const typing = { defaultNonNullable: false, emptyObjectsUnknown: true };

const contract = embedExamples(read("openapi.yaml"));
const readings: { readings: { id: string; default: string }[] } = parse(getText("readings.yaml"));
const nullable = readings.readings.filter((reading) => reading.default === "nullable").map(({ id }) => id);
const mock = mockable(contract);
const plain = downgrade(contract);
const outputs: Record<string, string> = {
  "openapi.json": json(contract),
  "openapi-3.1.json": json(plain),
  "openapi-mock.json": json(mock),
  "overlays/openapi.overlay.json": json(createOverlay(contract)),
  "overlays/openapi-3.1.overlay.json": json(createOverlay(plain)),
  "overlays/openapi-mock.overlay.json": json(createOverlay(mock)),
  "requirements.json": json(read("requirements.yaml")),
  "readings.json": json(read("readings.yaml")),
  "types.d.ts": typesHeader + astToString(await openapiTypescript(json(closeUnions(mock)), typing)),
  "control.openapi.json": json(JSON.parse(readFileSync(control, "utf8"))),
  "control-types.d.ts":
    typesHeader.replace("openapi.yaml", "control.openapi.json") +
    astToString(await openapiTypescript(control, { defaultNonNullable: false })),
};
for (const [name, schema] of Object.entries(eventSchemas(contract, new Set(nullable)))) outputs[name] = json(schema);

const args = process.argv.slice(2);
if (args.includes("--check")) check();
else if (args.length > 0) writeWithWords();
else write();

function writeWithWords(): void {
  const { code, message } = writeContract(args, (name) => outputs[name] ?? getText(name));
  process[code === 0 ? "stdout" : "stderr"].write(message);
  process.exitCode = code;
}

function getText(path: string): string {
  return readFileSync(new URL(path, spec), "utf8");
}

function read(path: string): Json {
  return parse(getText(path));
}

/** Puts the content of each `externalValue` file in its place: most tools do not follow the reference. */
function embedExamples(node: Json): Json {
  if (Array.isArray(node)) return node.map(embedExamples);
  if (node === null || typeof node !== "object") return node;
  const entries = Object.entries(node).map(([key, value]): [string, Json] =>
    key === "externalValue" && typeof value === "string" ? embedded(value) : [key, embedExamples(value)],
  );
  return Object.fromEntries(entries);
}

/** JSON is the value itself; of anything else it is the serialized form, as OpenAPI 3.2 wants it. */
function embedded(path: string): [string, Json] {
  return path.endsWith(".json") ? ["value", JSON.parse(getText(path))] : ["serializedValue", getText(path)];
}

function json(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function write(): void {
  for (const [name, want] of Object.entries(outputs)) {
    if (current(name) === want) continue;
    const file = new URL(`generated/${name}`, spec);
    mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
    writeFileSync(file, want);
    console.log(`wrote ${shownPath(name)}`);
  }
  for (const name of leftOver()) {
    rmSync(new URL(`generated/${name}`, spec));
    console.log(`removed spec/generated/${name}`);
  }
}

function check(): void {
  const complaints = [
    ...Object.entries(outputs).flatMap(([name, want]) => {
      const got = current(name);
      return got === want ? [] : [`is not current: ${shownPath(name)}\n${firstDifference(got, want)}`];
    }),
    ...leftOver().map((name) => `is generated from nothing: spec/generated/${name}`),
  ];
  const [first] = complaints;
  if (first === undefined) return;
  console.error(`${first}\nrun: npm run generate`);
  process.exitCode = 1;
}

/** Lists files that are no longer generated. */
function leftOver(): string[] {
  return readdirSync(new URL("generated/", spec), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.includes(".") && outputs[name] === undefined);
}

function shownPath(name: string): string {
  return posix.join("spec/generated", name);
}

function current(name: string): string {
  try {
    return readFileSync(fileURLToPath(new URL(`generated/${name}`, spec)), "utf8");
  } catch {
    return "";
  }
}

/** The first line in which the two texts differ, with its number. */
function firstDifference(got: string, want: string): string {
  const gotLines = got.split("\n");
  const wantLines = want.split("\n");
  const index = wantLines.findIndex((line, at) => line !== gotLines[at]);
  const at = index === -1 ? wantLines.length : index;
  return `  line ${at + 1}\n  - ${gotLines[at] ?? "(end of file)"}\n  + ${wantLines[at] ?? "(end of file)"}`;
}
