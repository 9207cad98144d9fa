/** The contract and its requirements as the tests of this package read them. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { parse } from "yaml";
import openapi from "../generated/openapi.json" with { type: "json" };

/** A row of either list, as far as the tests look at it. */
export interface Row {
  id: string;
  section: string;
  also?: string[];
  text: string;
  operation: string;
  level?: string;
  kind?: string;
  observable: string;
  contract?: Record<string, unknown>;
  checks?: string[];
  reason?: string;
  temptation?: string;
  observe?: string;
  absent?: string[];
}

const lists: { requirements: Row[]; unspecified: Row[] } = parse(
  readFileSync(new URL("../requirements.yaml", import.meta.url), "utf8"),
);
export const { requirements, unspecified } = lists;

/** A reading, as far as the tests look at it. */
export interface Reading {
  id: string;
  requirements: string[];
  sentence: string;
  default: string;
  tolerates?: Record<string, unknown[]>;
  values: { value: string; text: string; checks: string[] }[];
}

export const { readings }: { readings: Reading[] } = parse(
  readFileSync(new URL("../readings.yaml", import.meta.url), "utf8"),
);

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands at a JSON pointer of the contract; undefined when nothing does. */
export function getPart(pointer: string): unknown {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<unknown>((node, step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof node === "object" && node !== null && Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined;
  }, openapi);
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajvFormats.default(ajv, ["uuid"]);
ajv.addSchema(openapi, "contract");

/** What is wrong with a value under the schema at a pointer of the contract. */
export function listProblems(pointer: string, value: unknown): string[] {
  const validate = ajv.getSchema(`contract#${encodeURI(pointer)}`);
  if (!validate) throw new Error(`the contract has no schema at ${pointer}`);
  void validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
