/**
 * Derives `spec/generated/` from `spec/openapi.yaml`.
 *
 *   node scripts/generate.ts           writes the files
 *   node scripts/generate.ts --check   compares only; exit code 1 and the first difference when a file is not current
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";
import { parse } from "yaml";
import { downgrade, type Json } from "./openapi-3.1.ts";

const spec = new URL("../spec/", import.meta.url);
const typesHeader = "// Generated from openapi.yaml by `npm run generate`. Do not edit.\n\n";

/** What the contract leaves open is unknown; what has a default may still be missing. */
const typing = { defaultNonNullable: false, emptyObjectsUnknown: true };

const source: Json = parse(readFileSync(new URL("openapi.yaml", spec), "utf8"));
const contract = embedExamples(source);
const outputs: Record<string, string> = {
  "openapi.json": json(contract),
  "openapi-3.1.json": json(downgrade(contract)),
  "types.d.ts": typesHeader + astToString(await openapiTypescript(json(contract), typing)),
};

if (process.argv.includes("--check")) check();
else write();

/** Puts the content of each `externalValue` file in its place: most tools do not follow the reference. */
function embedExamples(node: Json): Json {
  if (Array.isArray(node)) return node.map(embedExamples);
  if (node === null || typeof node !== "object") return node;
  const entries = Object.entries(node).map(([key, value]): [string, Json] =>
    key === "externalValue" && typeof value === "string" ? ["value", exampleValue(value)] : [key, embedExamples(value)],
  );
  return Object.fromEntries(entries);
}

function exampleValue(path: string): Json {
  const text = readFileSync(new URL(path, spec), "utf8");
  if (!path.endsWith(".json")) return text;
  const value: Json = JSON.parse(text);
  return value;
}

function json(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function write(): void {
  mkdirSync(new URL("generated/", spec), { recursive: true });
  for (const [name, want] of Object.entries(outputs)) {
    if (current(name) === want) continue;
    writeFileSync(new URL(`generated/${name}`, spec), want);
    console.log(`wrote spec/generated/${name}`);
  }
}

function check(): void {
  for (const [name, want] of Object.entries(outputs)) {
    const got = current(name);
    if (got === want) continue;
    console.error(`spec/generated/${name} is not current; run: npm run generate\n${firstDifference(got, want)}`);
    process.exitCode = 1;
    return;
  }
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
