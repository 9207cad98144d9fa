import type { ElementHandle, Frame } from "playwright-core";
import { byCssAttribute, enterFrame } from "./selector-text.ts";

/**
 * Returns the selector prefix that enters a frame: by name, title or id, otherwise by position.
 * Empty for the main frame.
 */
export async function writeFrameSelector(frame: Frame): Promise<string> {
  const parent = frame.parentFrame();
  if (parent === null) return "";
  const element = await frame.frameElement();
  try {
    return `${await writeFrameSelector(parent)}${await findStableSelector(parent, element)}${enterFrame}`;
  } finally {
    await element.dispose().catch(() => {});
  }
}

async function findStableSelector(parent: Frame, element: ElementHandle): Promise<string> {
  const facts = await element.evaluate((frame) => {
    if (!(frame instanceof Element)) return { tag: "iframe", attributes: [], index: 0, count: 1 };
    const all = [...document.querySelectorAll(frame.localName)];
    const attributes = ["title", "aria-label", "name", "id", "src"].flatMap((name): [string, string][] => {
      const value = frame.getAttribute(name);
      return value === null || value === "" || value.length > 200 ? [] : [[name, value]];
    });
    return { tag: frame.localName, attributes, index: all.indexOf(frame), count: all.length };
  });
  if (facts.count === 1) return facts.tag;
  for (const [name, value] of facts.attributes) {
    const selector = facts.tag + byCssAttribute(name, value);
    if ((await parent.locator(selector).count()) === 1) return selector;
  }
  return `${facts.tag} >> nth=${Math.max(0, facts.index)}`;
}
