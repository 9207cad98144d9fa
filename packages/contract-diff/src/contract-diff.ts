import { isDeepStrictEqual } from "node:util";
import { ChangeList, type ChangeClass, type ContractChange } from "./changes.ts";
import type { DiffContext } from "./diff-context.ts";
import { readNode, writeText, type ContractDocument } from "./document.ts";
import { diffOperations } from "./operations.ts";
import { diffSchemas } from "./schemas.ts";

/** Two contracts side by side. */
export interface ContractDiff {
  /** Version of the API in the old document. */
  readonly old: string;
  /** Version of the API in the new one. */
  readonly new: string;
  /** True when any change is breaking. */
  readonly breaking: boolean;
  /** The result as one sentence. */
  readonly sentence: string;
  /** Every change; the breaking ones first, then the additive ones, each in the order of the documents. */
  readonly changes: readonly ContractChange[];
}

/** Order in which changes are reported. */
const classes = ["breaking", "additive", "documentation"] as const satisfies readonly ChangeClass[];

/** Parts of the document without effect on the wire. */
const explaining = ["info", "tags", "externalDocs"];

/** Parts of the document that are compared as a whole. */
const wholes = ["webhooks", "jsonSchemaDialect"];

/**
 * Compares two OpenAPI documents of one contract, and classifies each change by its effect on callers of the old one.
 *
 * The order of fields, parameters, choices, values and tags has no meaning. Only what an operation refers to is compared.
 *
 * @throws {ContractError} `bad-reference` when a reference can't be followed.
 *
 * @example
 * ```ts from=examples/api/contract-diff/diff-contracts.ts
 * import { writeFileSync } from "node:fs";
 * import { diffContracts, readContract } from "@cloud-browser/contract-diff";
 *
 * const write = (file: string, required: string): void =>
 *   writeFileSync(
 *     file,
 *     `openapi: 3.1.0
 * info: { title: Ferries, version: "1" }
 * paths:
 *   /piers:
 *     get:
 *       responses:
 *         "200":
 *           description: The piers.
 *           content:
 *             application/json:
 *               schema: { type: object, properties: { piers: { type: array } }, required: [${required}] }
 * `,
 *   );
 * write("old.yaml", "piers");
 * write("new.yaml", "");
 * const { breaking, changes } = diffContracts(readContract("old.yaml"), readContract("new.yaml"));
 * console.log(breaking); // true
 * console.log(changes.map(({ what }) => what).join()); // the field is no longer required
 * ```
 */
export function diffContracts(old: ContractDocument, now: ContractDocument): ContractDiff {
  const list = new ChangeList();
  const context: DiffContext = { old, now, list, schemas: diffSchemas };
  diffOperations(context);
  for (const name of [...explaining, ...wholes]) {
    const [before, after] = [old.root[name], now.root[name]];
    if (isDeepStrictEqual(before, after)) continue;
    if (explaining.includes(name)) list.add("documentation", [name], `${name} changed`);
    else list.add(before === undefined ? "additive" : "breaking", [name], `${name} changed`);
  }
  const changes = classes.flatMap((kind) => list.changes.filter((change) => change.class === kind));
  return {
    old: readVersion(old),
    new: readVersion(now),
    breaking: changes.some((change) => change.class === "breaking"),
    sentence: writeSentence(changes),
    changes,
  };
}

function readVersion({ root }: ContractDocument): string {
  return writeText(readNode(root["info"])["version"], "without version");
}

function writeSentence(changes: readonly ContractChange[]): string {
  if (changes.length === 0) return "No change.";
  const counts = classes.map((kind) => `${changes.filter((change) => change.class === kind).length} ${kind}`);
  const breaking = changes.some((change) => change.class === "breaking");
  return `${breaking ? "Breaking" : "Not breaking"}: ${counts.join(", ")}.`;
}
