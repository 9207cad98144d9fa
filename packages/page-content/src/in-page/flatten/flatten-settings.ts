import type { FlatElement } from "./flat-tree.ts";

/** Settings of flattening. */
export interface FlattenSettings {
  /** Names of elements that are left out with their content, in lower case. */
  readonly ignored: ReadonlySet<string>;
  /** Returns whether a node is left out with its content, as it is invisible. Undefined when invisible content is kept. */
  readonly conceals: ((node: Node) => boolean) | undefined;
  /** True when addresses of background images are kept. */
  readonly backgrounds: boolean;
  /** Maximum number of nodes that are read. */
  readonly maxNodes: number;
  /** Maximum number of characters of text that are read. */
  readonly maxCharacters: number;
  /** Longest time that it may take, in milliseconds. */
  readonly maxMs: number;
  /** Shadow roots that a page keeps closed, by their host. */
  readonly closedRoots: ReadonlyMap<Element, ShadowRoot>;
  /** Content of frames of other origins, as flat HTML by their element. */
  readonly frames: ReadonlyMap<Element, string>;
}

/** A page as a tree without anything that runs, and what could not be read yet. */
export interface Flattened {
  /** The tree: an `html` element with a head and a body. */
  readonly tree: FlatElement;
  /** Its body: the requested elements. */
  readonly body: FlatElement;
  /** True when a limit ended it before the end. */
  readonly cut: boolean;
  /** Shown frames whose document is not reachable from here. */
  readonly frames: readonly Element[];
  /** Elements that may have a shadow root that is closed. */
  readonly hosts: readonly Element[];
}
