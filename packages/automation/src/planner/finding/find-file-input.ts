import type { Locator, Page } from "playwright-core";
import { StepError } from "../../automation-error.ts";
import { sleep } from "../../async.ts";
import { readFrames } from "../../page/frames.ts";

const pollMs = 150;
/** Longest wait for a file input, in milliseconds. */
const timeoutMs = 5_000;

/**
 * Finds the file input of a page that has only one, visible or not; the only visible one of several.
 *
 * @throws {AutomationError} `step_failed` if it has none, or several.
 */
export async function findFileInput(page: Page, signal: AbortSignal): Promise<Locator> {
  const ends = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const inputs = await listFileInputs(page);
    const [first, ...others] = inputs;
    if (first && others.length === 0) return first.input;
    const visible = inputs.filter(({ isVisible }) => isVisible);
    const [onlyVisible, ...alsoShown] = visible;
    if (onlyVisible && alsoShown.length === 0) return onlyVisible.input;
    if (performance.now() > ends) {
      const why = first
        ? `ambiguous target: ${inputs.length} file inputs on the page; name one: upload X to Y`
        : "the page has no file input; name what opens its file chooser: upload X to Y";
      throw new StepError(why);
    }
    await sleep(pollMs, signal);
  }
}

async function listFileInputs(
  page: Page,
): Promise<readonly { readonly input: Locator; readonly isVisible: boolean }[]> {
  const all = await readFrames(page, async (frame) => {
    const inputs = frame.locator("input[type=file]:not(:disabled):not([webkitdirectory])");
    const visible = await inputs.evaluateAll(areVisible);
    return visible.map((isVisible, index) => ({ input: inputs.nth(index), isVisible }));
  });
  return all.flat();
}

/** Runs in the page. */
function areVisible(inputs: readonly Element[]): boolean[] {
  return inputs.map((input) => {
    const { width, height } = input.getBoundingClientRect();
    return width > 0 && height > 0 && input.checkVisibility({ visibilityProperty: true });
  });
}
