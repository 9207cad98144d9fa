/** Applies overlays as far as those of this package go: actions that update and remove, at targets that name one node. */

/** An action of an Overlay 1.0. */
export interface Action {
  readonly target: string;
  readonly remove?: boolean;
  readonly update?: Readonly<Record<string, unknown>>;
}

/** An overlay, as far as it is applied here. */
export interface Overlay {
  readonly overlay: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly actions: readonly Action[];
}

type Node = Record<string, unknown>;

/** Returns a copy of a document with an overlay applied. Throws where a target names nothing. */
export function applyOverlay(document: object, { actions }: Overlay): Node {
  const copy: Node = structuredClone({ ...document });
  for (const { target, remove, update } of actions) {
    const names = parseNames(target);
    const last = names.at(-1) ?? "";
    const parent = names.slice(0, -1).reduce(getChild, copy);
    const node = getChild(parent, last);
    if (remove) Reflect.deleteProperty(parent, last);
    else merge(node, update ?? {});
  }
  return copy;
}

/** The names in `$.a['b']`. */
function parseNames(target: string): readonly string[] {
  if (!/^\$(?:\.\w+|\['[^']+'\])+$/.test(target)) throw new Error(`a target of another kind: ${target}`);
  return [...target.matchAll(/\.(\w+)|\['([^']+)'\]/g)].map(([, name, quoted]) => name ?? quoted ?? "");
}

function getChild(node: Node, name: string): Node {
  const value = node[name];
  if (!isNode(value)) throw new Error(`nothing has the name ${name}`);
  return value;
}

/** Objects are merged, whatever else is replaced. */
function merge(node: Node, update: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(update)) {
    const before = node[name];
    if (isNode(before) && isNode(value)) merge(before, value);
    else node[name] = value;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
