import type { FlatElement } from "./flat-tree.ts";
import { firstOf, nextOf } from "./live-dom.ts";
import type { ShownExtent } from "./rendered-style.ts";

/** One level of the tree walk: the children of one element, and the copy that they are appended to. */
export interface FlattenLevel {
  /** The next node to read; null at the end. */
  next: Node | null;
  /** Nodes to read in place of `next`: those assigned to a slot. */
  readonly assigned: readonly Node[] | undefined;
  /** Index of the next assigned node. */
  index: number;
  /** The copy of the parent. */
  readonly into: FlatElement;
  /** Copy of the next element if the whole level was copied at once; undefined if it is copied node by node. */
  precopied: FlatElement | null | undefined;
  /** True when the level is not shown. */
  readonly isHidden: boolean;
  /** Visibility of the long table that it is in; undefined outside of one. */
  readonly shown: ShownExtent | undefined;
  /** Element whose style applies to texts of the level. */
  readonly styled: Element | undefined;
  /** True once its white space style was read. */
  hasReadSpace: boolean;
}

/** Creates a level for the children of a node. */
export function levelFor(
  source: Node,
  into: FlatElement,
  unseen = false,
  styled?: Element,
  precopied?: FlatElement | null,
): FlattenLevel {
  return {
    next: firstOf(source),
    assigned: undefined,
    index: 0,
    into,
    precopied,
    isHidden: unseen,
    shown: undefined,
    styled,
    hasReadSpace: false,
  };
}

/** Advances a level; null at its end. */
export function nextNode(level: FlattenLevel): Node | null {
  if (level.assigned !== undefined) {
    level.index += 1;
    return level.assigned[level.index - 1] ?? null;
  }
  const node = level.next;
  if (node !== null) level.next = nextOf(node);
  return node;
}

/** Returns the copy of an element from a level that was copied at once, and advances to the next copy. */
export function takePrecopied(level: FlattenLevel, name: string): FlatElement | undefined {
  const precopied = level.precopied ?? undefined;
  if (precopied === undefined) return undefined;
  if (precopied.localName === name) {
    level.precopied = precopied.nextElementSibling;
    return precopied;
  }
  level.into.cut(precopied);
  level.precopied = undefined;
  return undefined;
}

/** Removes copies that have not been read. */
export function removeUnread(levels: readonly FlattenLevel[]): void {
  for (const { precopied, into } of levels) if (precopied) into.cut(precopied);
}

/** Moves a level that is nested too deep beside its parent. */
export function movedUp(within: FlattenLevel, level: FlattenLevel): FlattenLevel {
  const { into, precopied } = within;
  if (precopied === undefined) return { ...within, into: level.into };
  if (into === level.into) return within;
  into.empty();
  return { ...within, precopied: undefined };
}
