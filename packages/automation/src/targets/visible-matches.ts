import type { Page } from "playwright-core";
import { StepError } from "../automation-error.ts";

/** State of an element that a selector matches. */
interface Match {
  readonly enabled: boolean;
  readonly inView: boolean;
  readonly inDialog: boolean;
}

/** Most matches of one selector that are inspected. */
const maxMatches = 200;

/**
 * Counts the visible matches of a selector, and picks one: the only one, or the only one that is in an open dialog, enabled or in view.
 * `chosen` is a selector for it alone.
 *
 * @param mayBeHidden - Counts those that are not visible, too.
 * @throws {AutomationError} `step_failed` if the selector is malformed.
 */
export async function findVisibleMatches(
  page: Page,
  selector: string,
  mayBeHidden = false,
): Promise<{ count: number; chosen: string | undefined }> {
  const visible = mayBeHidden ? selector : `${selector} >> visible=true`;
  const matches = await page
    .locator(visible)
    .evaluateAll(describeMatches, maxMatches)
    .catch((error: unknown): Match[] => {
      if (error instanceof Error && /while parsing|malformed selector|unknown engine/i.test(error.message)) {
        throw new StepError(`malformed selector ${JSON.stringify(selector)}`, {
          cause: error,
        });
      }
      if (page.isClosed()) throw error;
      return []; // the page is navigating
    });
  const index = findChosen(matches);
  if (matches.length === 1) return { count: 1, chosen: visible };
  return { count: matches.length, chosen: index === undefined ? undefined : `${visible} >> nth=${index}` };
}

function findChosen(matches: readonly Match[]): number | undefined {
  let left = matches.map((match, index) => ({ match, index }));
  for (const quality of ["inDialog", "enabled", "inView"] as const) {
    const better = left.filter(({ match }) => match[quality]);
    if (better.length > 0) left = better;
    if (left.length === 1) return left[0]?.index;
  }
  return undefined;
}

/** Runs in the page. */
function describeMatches(elements: readonly Element[], most: number): Match[] {
  const dialogs = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
  return elements.slice(0, most).map((element) => {
    const { top, left, bottom, right } = element.getBoundingClientRect();
    return {
      enabled: !element.matches(":disabled") && element.getAttribute("aria-disabled") !== "true",
      inView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
      inDialog: element.closest(dialogs) !== null,
    };
  });
}
