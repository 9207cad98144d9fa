import type { CDPSession, Locator, Page } from "playwright-core";
import { awaitWithin } from "../../async.ts";

/** Longest time to ask for listeners, in milliseconds. */
const timeoutMs = 2_000;
const events: ReadonlySet<string> = new Set(["click", "mousedown", "mouseup", "pointerdown", "pointerup"]);

/**
 * Returns whether the page listens to clicks on a text: on its element, or on an ancestor that contains nothing else. Listeners of larger
 * parts, which hear every click, do not count. False if the browser does not answer.
 */
export async function hasClickListener(page: Page, locator: Locator): Promise<boolean> {
  await locator.scrollIntoViewIfNeeded({ timeout: timeoutMs }).catch(() => {});
  const box = await locator.boundingBox({ timeout: timeoutMs }).catch(() => null);
  if (box === null) return false;
  const session = await page
    .context()
    .newCDPSession(page)
    .catch(() => undefined);
  if (session === undefined) return false;
  const point = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  const answer = await awaitWithin(
    timeoutMs,
    listens(session, point).catch(() => false),
  );
  await session.detach().catch(() => {});
  return answer ?? false;
}

async function listens(session: CDPSession, point: { readonly x: number; readonly y: number }): Promise<boolean> {
  const { backendNodeId } = await session.send("DOM.getNodeForLocation", point);
  const { object } = await session.send("DOM.resolveNode", { backendNodeId });
  for (let { objectId } = object, level = 0; objectId !== undefined && level < 6; level += 1) {
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId });
    if (listeners.some(({ type }) => events.has(type))) return true;
    const { result } = await session.send("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: String(partAround),
    });
    objectId = result.objectId;
  }
  return false;
}

/** Returns the parent of an element, unless that is a larger part of the page. Runs in the page. */
function partAround(this: Node): Element | null {
  const around = this.parentElement;
  if (around === null || around.matches("html, body, main, form, nav, header, footer, [role=main]")) return null;
  const parts = around.querySelectorAll("h1, h2, h3, h4, h5, h6, button, a[href], input, select, textarea, li, tr");
  return parts.length > 1 ? null : around;
}
