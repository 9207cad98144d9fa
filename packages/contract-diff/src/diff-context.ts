import type { ChangeList, Direction } from "./changes.ts";
import type { ContractDocument } from "./document.ts";

/** The two documents of a comparison, and the list of changes. */
export interface DiffContext {
  /** The contract as it was. */
  readonly old: ContractDocument;
  /** The contract as it is. */
  readonly now: ContractDocument;
  /** The changes found so far. */
  readonly list: ChangeList;
  /** Compares two schemas; passed in to avoid import cycles. */
  readonly schemas: (before: unknown, after: unknown, context: DiffContext, place: SchemaPlace) => void;
}

/** The place of a schema. */
export interface SchemaPlace {
  /** Direction of its values. */
  readonly direction: Direction;
  /** Its place, from the outside inwards. */
  readonly where: readonly string[];
  /** True when it describes the events of a stream, which are distinguished by `type`. */
  readonly events?: boolean;
  /** Pairs of schemas that contain it: a schema may contain itself. */
  readonly within?: readonly (readonly [unknown, unknown])[];
}
