import type { Locator, Page } from "playwright-core";
import { readAccessibleNodes, readTree, type AccessibleNode } from "../snapshot/accessibility-tree.ts";
import { awaitWithin } from "../async.ts";

/** Roles of fields: their text is a value and no name. */
const fields = /^(?:textbox|searchbox|combobox|spinbutton|slider|listbox)$/;

/** Reads the role, the name and the reference of an element. The name of one without is its text, unless it is a field. */
export async function describeElement(
  page: Page,
  locator: Locator,
): Promise<Pick<AccessibleNode, "role" | "name" | "ref">> {
  const [node] = readAccessibleNodes(
    await awaitWithin(3000, locator.ariaSnapshotJSON({ mode: "ai", depth: 1, timeout: 3000 })),
  );
  // Playwright only resolves references of its last snapshot: take one of the whole page again.
  await readTree(page).catch(() => []);
  if (node === undefined) return { role: "generic", name: "", ref: "" };
  const name = node.name || (fields.test(node.role) ? "" : node.text || (await readText(locator)));
  return { role: node.role, name, ref: node.ref };
}

/** Longest text that counts as a name, in characters. */
const maxTextCharacters = 200;

/** Reads the text of an element with its descendants; empty if it is long. */
async function readText(locator: Locator): Promise<string> {
  const text = (await awaitWithin(1000, locator.textContent({ timeout: 1000 }))) ?? "";
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= maxTextCharacters ? line : "";
}
