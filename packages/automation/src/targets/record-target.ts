import type { ElementHandle, Locator, Page } from "playwright-core";
import { StepError, makeReferenceError } from "../automation-error.ts";
import type { StepTarget } from "../task/step.ts";
import { escapeTemplate } from "../task/template.ts";
import { walkNodes, readTree, type PlacedNode } from "../snapshot/accessibility-tree.ts";
import { collectFacts, type ElementFacts } from "./element-facts.ts";
import { writeFrameSelector } from "./frame-selectors.ts";
import { listStableSelectors, listStructuralSelectors } from "./stable-selectors.ts";
import { describeElement } from "./accessible-description.ts";

/** Most selectors of a target. */
const maxSelectors = 6;
/** Selector part that searches all frames, as the frame itself may change. */
const anyFrame = "internal:control=any-frame >> ";

/**
 * Creates a stable target for an element by its reference in the last snapshot.
 *
 * @throws {AutomationError} `step_failed` if no element has that reference any more.
 */
export async function recordTargetByRef(page: Page, ref: string): Promise<StepTarget> {
  if (!/^(?:f\d+)?e\d+$/.test(ref)) throw new StepError(`${JSON.stringify(ref)} is not a reference of an element`);
  const count = await page
    .getByRef(ref)
    .count()
    .catch(() => 0);
  if (count === 0) throw makeReferenceError(ref);
  return recordTarget(page.getByRef(ref));
}

/**
 * Creates a stable target for the one element that a locator matches now. Each of its selectors matches exactly that element now.
 *
 * @param mayBeHidden - True for an element that need not be visible: its selectors then match no other one, visible or not.
 * @throws {AutomationError} `step_failed` if it matches no element, or several.
 */
export async function recordTarget(locator: Locator, mayBeHidden = false): Promise<StepTarget> {
  const page = locator.page();
  const count = await locator.count();
  const element = count === 1 ? await locator.elementHandle({ timeout: 5000 }) : null;
  try {
    if (element === null) throw new StepError(`the locator matches ${count} elements instead of one`);
    return await recordElement(page, locator, element, mayBeHidden);
  } finally {
    await element?.dispose().catch(() => {});
  }
}

async function recordElement(
  page: Page,
  locator: Locator,
  element: ElementHandle<SVGElement | HTMLElement>,
  mayBeHidden: boolean,
): Promise<StepTarget> {
  const frame = await element.ownerFrame();
  const prefix = frame ? await writeFrameSelector(frame) : "";
  const facts = await element.evaluate(collectFacts);
  const { role, name, ref } = await describeElement(page, locator);
  const tree = [...walkNodes(await readTree(page))];
  const placed = tree.find(({ node }) => ref !== "" && node.ref === ref) ?? placeAlone(role, name);
  const stable = listStableSelectors(placed, tree, facts);
  const candidates =
    prefix === "" ? stable : [...stable.map((one) => prefix + one), ...stable.slice(0, 2).map((one) => anyFrame + one)];
  const selectors = await filterUnique(page, element, candidates, maxSelectors, mayBeHidden);
  const structural =
    selectors.length > 0 ? [] : listStructuralSelectors(placed, tree, facts).map((one) => prefix + one);
  selectors.push(...(await filterUnique(page, element, structural, 1, mayBeHidden)));
  if (selectors.length === 0) {
    throw new StepError(
      `no unique locator for ${getLabel(placed, facts)}: it is not visible, or not distinguishable from other elements`,
    );
  }
  return { selectors, label: getLabel(placed, facts) };
}

/** Returns the selectors whose only match, or only visible match, is the element. */
async function filterUnique(
  page: Page,
  element: ElementHandle<SVGElement | HTMLElement>,
  selectors: readonly string[],
  most: number,
  mayBeHidden: boolean,
): Promise<string[]> {
  const leading: string[] = [];
  for (const selector of new Set(selectors)) {
    const leads = await page
      .locator(mayBeHidden ? selector : `${selector} >> visible=true`)
      .evaluateAll((found, meant) => found.length === 1 && found[0] === meant, element)
      .catch(() => false);
    if (leads) leading.push(selector);
    if (leading.length === most) break;
  }
  return leading;
}

function getLabel({ node: { role, name } }: PlacedNode, { tag, text, labels }: ElementFacts): string {
  const kind = role === "generic" || role === "text" || role === "" ? tag : role;
  const words = name || labels[0] || text;
  return escapeTemplate(words === "" ? kind : `${kind} "${words.slice(0, 80)}"`);
}

function placeAlone(role: string, name: string): PlacedNode {
  return { node: { role, name, text: "", ref: "", states: [], properties: [], children: [] }, ancestors: [] };
}
