import type { Locator, Page } from "playwright-core";
import { nodesOf, readTree } from "../snapshot/accessibility-tree.ts";
import { within } from "../async.ts";

/** Current description of an element. */
export interface SeenAs {
  /** Its role; `generic` without one. */
  readonly role: string;
  /** Its name; for elements without one, the text that is all they hold. */
  readonly name: string;
  /** Its reference in the tree of the page; empty when it has none. */
  readonly ref: string;
}

/** Tells what an element is. */
export async function seenAs(page: Page, locator: Locator): Promise<SeenAs> {
  const [node] = nodesOf(await within(3000, locator.ariaSnapshotJSON({ mode: "ai", depth: 1, timeout: 3000 })));
  // Playwright knows the references of its last snapshot only: take one of the whole page again.
  await readTree(page).catch(() => []);
  if (node === undefined) return { role: "generic", name: "", ref: "" };
  const isPlain = node.role === "generic" || node.role === "text";
  return { role: node.role, name: node.name === "" && isPlain ? node.text : node.name, ref: node.ref };
}
