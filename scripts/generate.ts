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
import { listEventSchemas } from "./event-schemas.ts";
import { closeUnions } from "./event-union.ts";
import type { Json } from "./json.ts";
import { downgrade } from "./openapi-3.1.ts";
import { makeMockable } from "./openapi-mock.ts";
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
const mock = makeMockable(contract);
const plain = downgrade(contract);
const outputs: Record<string, string> = {
  "openapi.json": formatJson(contract),
  "openapi-3.1.json": formatJson(plain),
  "openapi-mock.json": formatJson(mock),
  "overlays/openapi.overlay.json": formatJson(createOverlay(contract)),
  "overlays/openapi-3.1.overlay.json": formatJson(createOverlay(plain)),
  "overlays/openapi-mock.overlay.json": formatJson(createOverlay(mock)),
  "requirements.json": formatJson(read("requirements.yaml")),
  "readings.json": formatJson(read("readings.yaml")),
  "types.d.ts": typesHeader + astToString(await openapiTypescript(formatJson(closeUnions(mock)), typing)),
  "control.openapi.json": formatJson(JSON.parse(readFileSync(control, "utf8"))),
  "control-types.d.ts":
    typesHeader.replace("openapi.yaml", "control.openapi.json") +
    astToString(await openapiTypescript(control, { defaultNonNullable: false })),
};
for (const [name, schema] of Object.entries(listEventSchemas(contract, new Set(nullable))))
  outputs[name] = formatJson(schema);

const args = process.argv.slice(2);
if (args.includes("--check")) check();
else if (args.length > 0) writeWithWords();
else write();

function writeWithWords(): void {
  const { code, said: message } = writeContract(args, (name) => outputs[name] ?? getText(name));
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
    key === "externalValue" && typeof value === "string" ? embedFile(value) : [key, embedExamples(value)],
  );
  return Object.fromEntries(entries);
}

/** JSON is the value itself; of anything else it is the serialized form, as OpenAPI 3.2 wants it. */
function embedFile(path: string): [string, Json] {
  return path.endsWith(".json") ? ["value", JSON.parse(getText(path))] : ["serializedValue", getText(path)];
}

function formatJson(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function write(): void {
  for (const [name, want] of Object.entries(outputs)) {
    if (readCurrent(name) === want) continue;
    const file = new URL(`generated/${name}`, spec);
    mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
    writeFileSync(file, want);
    console.log(`wrote ${getShownPath(name)}`);
  }
  for (const name of listLeftovers()) {
    rmSync(new URL(`generated/${name}`, spec));
    console.log(`removed spec/generated/${name}`);
  }
}

function check(): void {
  const complaints = [
    ...Object.entries(outputs).flatMap(([name, want]) => {
      const current = readCurrent(name);
      return current === want ? [] : [`is not current: ${getShownPath(name)}\n${findDifference(current, want)}`];
    }),
    ...listLeftovers().map((name) => `is generated from nothing: spec/generated/${name}`),
  ];
  const [first] = complaints;
  if (first === undefined) return;
  console.error(`${first}\nrun: npm run generate`);
  process.exitCode = 1;
}

/** Lists files that are no longer generated. */
function listLeftovers(): string[] {
  return readdirSync(new URL("generated/", spec), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.includes(".") && outputs[name] === undefined);
}

function getShownPath(name: string): string {
  return posix.join("spec/generated", name);
}

function readCurrent(name: string): string {
  try {
    return readFileSync(fileURLToPath(new URL(`generated/${name}`, spec)), "utf8");
  } catch {
    return "";
  }
}

/** The first line in which the two texts differ, with its number. */
function findDifference(got: string, want: string): string {
  const gotLines = got.split("\n");
  const wantLines = want.split("\n");
  const index = wantLines.findIndex((line, at) => line !== gotLines[at]);
  const at = index === -1 ? wantLines.length : index;
  return `  line ${at + 1}\n  - ${gotLines[at] ?? "(end of file)"}\n  + ${wantLines[at] ?? "(end of file)"}`;
}
