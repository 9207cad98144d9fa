import type { Page } from "playwright-core";

/** Node of an accessibility tree. */
export interface AccessibleNode {
  /** Its role; `generic` for elements without one, `text` for text nodes. */
  readonly role: string;
  /** Its accessible name; empty if it has none. */
  readonly name: string;
  /** Its text if it has no children, or its value; empty otherwise. */
  readonly text: string;
  /** Its reference; empty for text. */
  readonly ref: string;
  /** Its states, as in a snapshot: `checked`, `level=2`. */
  readonly states: readonly string[];
  /** URL of a link, placeholder of a field. */
  readonly properties: readonly (readonly ["url" | "placeholder", string])[];
  /** Child nodes. */
  readonly children: readonly AccessibleNode[];
}

/** A node with its ancestors. */
export interface PlacedNode {
  /** The node. */
  readonly node: AccessibleNode;
  /** Its ancestors, the outermost first. */
  readonly ancestors: readonly AccessibleNode[];
}

/** Longest time for one snapshot, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Reads the accessibility tree of a page with its frames. References of an earlier snapshot stay valid for elements that
 * are still there and have not changed.
 */
export async function readTree(page: Page, signal?: AbortSignal): Promise<AccessibleNode[]> {
  const snapshot: unknown = await page.ariaSnapshotJSON({
    mode: "ai",
    timeout: timeoutMs,
    ...(signal ? { signal } : {}),
  });
  return readAccessibleNodes(snapshot);
}

/** Parses a snapshot of `ariaSnapshotJSON`. */
export function readAccessibleNodes(snapshot: unknown): AccessibleNode[] {
  return Array.isArray(snapshot) ? snapshot.map(readNode) : [];
}

/** Yields all nodes of a tree, in document order. */
export function* walkNodes(
  nodes: readonly AccessibleNode[],
  ancestors: readonly AccessibleNode[] = [],
): Generator<PlacedNode> {
  for (const node of nodes) {
    yield { node, ancestors };
    yield* walkNodes(node.children, [...ancestors, node]);
  }
}

/** Returns all text of a node, in one line. */
export function readNodeText(node: AccessibleNode): string {
  const texts = [...walkNodes([node])].map(
    (placed) => placed.node.text || (placed.node.children.length === 0 ? placed.node.name : ""),
  );
  return texts.filter(Boolean).join(" ");
}

const flags = ["disabled", "expanded", "active", "selected", "ariaHidden"] as const;
const valued = ["checked", "pressed", "invalid", "level"] as const;

function readNode(value: unknown): AccessibleNode {
  if (typeof value !== "object" || value === null) return createTextNode(typeof value === "string" ? value : "");
  const fields = new Map<string, unknown>(Object.entries(value));
  const readField = (name: string): string => {
    const text = fields.get(name);
    return typeof text === "string" ? text : "";
  };
  const properties = (["url", "placeholder"] as const).flatMap((name) => {
    const text = readField(name);
    return text === "" ? [] : [[name, text] as const];
  });
  return {
    role: readField("role"),
    name: readField("name"),
    text: readField("text"),
    ref: readField("ref"),
    states: [
      ...valued.flatMap((name) => listStates(name, fields.get(name))),
      ...flags.flatMap((name) => (fields.get(name) === true ? [name] : [])),
    ],
    properties,
    children: readAccessibleNodes(fields.get("children")),
  };
}

function listStates(name: string, value: unknown): string[] {
  if (value === true) return [name];
  return typeof value === "string" || typeof value === "number" ? [`${name}=${value}`] : [];
}

function createTextNode(text: string): AccessibleNode {
  return { role: "text", name: "", text, ref: "", states: [], properties: [], children: [] };
}
