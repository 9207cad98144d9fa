import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import { ContractError } from "./contract-error.ts";

/** An object of a JSON document. */
export type Node = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object, and not an array. */
export function isObject(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object, or an empty one for any other value. */
export function readNode(value: unknown): Node {
  return isObject(value) ? value : {};
}

/** Returns the elements of an array, or none for any other value. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a string or number as a string; the other text for any other value. */
export function writeText(value: unknown, otherwise: string): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : otherwise;
}

/** Maximum length of a chain of references. */
const maxChainLength = 100;

/** An OpenAPI document, with its references. */
export class ContractDocument {
  /** Name in messages. */
  readonly name: string;
  /** The document. */
  readonly root: Node;

  constructor(name: string, root: Node) {
    this.name = name;
    this.root = root;
  }

  /**
   * Resolves a reference, and merges the keywords beside it; returns any other value as it is.
   *
   * @throws {ContractError} `bad-reference` when it leads nowhere, in a circle, or out of the document.
   */
  resolve(value: unknown): unknown {
    let node = value;
    for (let step = 0; isObject(node) && typeof node["$ref"] === "string"; step += 1) {
      const { $ref: reference, ...beside } = node;
      const target = this.#target(reference);
      if (step === maxChainLength)
        throw new ContractError("bad-reference", `${this.name}: the reference ${reference} is circular`);
      node = isObject(target) ? { ...target, ...beside } : target;
    }
    return node;
  }

  /** Returns whether it is of OpenAPI 3.1, which has no keyword for the items of a stream and for values without a mapped choice. */
  isOpenApi31(): boolean {
    return String(this.root["openapi"]).startsWith("3.1.");
  }

  #target(reference: string): unknown {
    if (!reference.startsWith("#/")) {
      const advice = "references to other documents are not supported; bundle the document first";
      throw new ContractError("bad-reference", `${this.name} refers to ${reference}: ${advice}`);
    }
    const steps = reference.slice(2).split("/");
    let node: unknown = this.root;
    for (const step of steps) {
      const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
      const holder: unknown = node;
      if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) {
        throw new ContractError("bad-reference", `${this.name}: the reference ${reference} can't be resolved`);
      }
      node = Reflect.get(holder, name);
    }
    return node;
  }
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/**
 * Reads an OpenAPI 3.1 or 3.2 document, YAML or JSON.
 *
 * @throws {ContractError} `unreadable` when it can't be read or is neither YAML nor JSON, `not-openapi` when it is not such a document.
 */
export function readContract(path: string): ContractDocument {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ContractError("unreadable", `the contract can't be read: ${why}`, { cause });
  }
  const parsed = parseDocument(text, { prettyErrors: true });
  const [error] = parsed.errors;
  if (error)
    throw new ContractError("unreadable", `${path} is neither YAML nor JSON: ${error.message.split("\n", 1)[0]}`);
  return parseContract(path, parsed.toJS());
}

/**
 * Checks that a value is an OpenAPI document.
 *
 * @throws {ContractError} `not-openapi` when it is not an OpenAPI document, or not one of 3.1 or 3.2.
 */
export function parseContract(name: string, value: unknown): ContractDocument {
  const version = readNode(value)["openapi"];
  if (!isObject(value) || typeof version !== "string" || !isObject(value["paths"] ?? {})) {
    throw new ContractError("not-openapi", `${name} is not an OpenAPI document`);
  }
  if (!/^3\.[12]\.\d+/.test(version)) {
    throw new ContractError("not-openapi", `${name} uses OpenAPI ${version}; only 3.1 and 3.2 are supported`);
  }
  return new ContractDocument(name, value);
}
