import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { Operation } from "./contract.ts";

/**
 * The least that is needed to see a requirement violated.
 *
 * `mock`: a mock of the contract. `live`: an implementation of its own. `page`: one whose session is on a known page.
 * `contract`: the contract document itself. `none`: nothing that a run can see.
 */
export type Observable = "mock" | "live" | "page" | "contract" | "none";

/** One sentence or table cell of the interface. */
export interface Requirement {
  /** Stable name. */
  readonly id: string;
  /** Heading of the interface under which it stands. */
  readonly section: string;
  /** The sentence, in our words. */
  readonly text: string;
  /** Operation that it is about. */
  readonly operation: Operation | "none";
  /** `stated` by the interface, or inferred by us. */
  readonly level: Level;
  /** The least that is needed to see it violated. */
  readonly observable: Observable;
  /** Places in the contract that state it: JSON pointers, with the values there. */
  readonly contract?: Readonly<Record<string, unknown>>;
  /** Ids of the checks that judge it. */
  readonly checks: readonly string[];
  /** Reason why it has no check. */
  readonly reason?: string;
}

/** One thing that the interface leaves open. */
export interface Unspecified {
  /** Stable name. */
  readonly id: string;
  /** Heading of the interface. */
  readonly section: string;
  /** `not shown`: the interface says so. `silent`: it says nothing. */
  readonly kind: "not shown" | "silent";
  /** Operation that it is about. */
  readonly operation: Operation | "none";
  /** Description of what is left open. */
  readonly text: string;
  /** Assertion that a suite could wrongly make. */
  readonly temptation: string;
  /** The least that is needed to see it. */
  readonly observable: Observable;
  /** Description of what a run can record, or the reason why it can't. */
  readonly observe: string;
}

/** The two lists of `spec/requirements.yaml`. */
export interface Requirements {
  /** Sentences of the interface. */
  readonly requirements: readonly Requirement[];
  /** Things that the interface leaves open. */
  readonly unspecified: readonly Unspecified[];
}

/** Cache: a process may make several runs. */
let cache: Requirements | undefined;

/** Loads the requirements that come with the contract; a test checks their form. */
export function loadRequirements(): Requirements {
  cache ??= readRequirements();
  return cache;
}

function readRequirements(): Requirements {
  const file = fileURLToPath(import.meta.resolve("@cloud-browser/spec/requirements.yaml"));
  const lists: Requirements = parse(readFileSync(file, "utf8"));
  return lists;
}

/** `stated`: the interface says it, so it decides. `assumed`: we infer it, so it only warns. */
export type Level = "stated" | "assumed";
