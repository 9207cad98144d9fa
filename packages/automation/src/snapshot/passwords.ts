import type { Locator, Page } from "playwright-core";
import { askElement } from "../page/ask-element.ts";
import { readFrames } from "../page/frames.ts";

const fields = [
  "type=password",
  "autocomplete~=current-password",
  "autocomplete~=new-password",
  "autocomplete~=one-time-code",
]
  .map((attribute) => `input[${attribute}]`)
  .concat(["name", "id"].map((attribute) => `input[${attribute}*=passw i]`))
  .join(", ");

/** Reads the current values of the password fields of a page and its frames, also with white space collapsed as in a snapshot. */
export async function readPasswords(page: Page): Promise<Set<string>> {
  const values = await readFrames(
    page,
    async (frame) =>
      frame
        .locator(fields)
        .evaluateAll((found) => found.map((field) => (field instanceof HTMLInputElement ? field.value : ""))),
    { timeoutMs: 2000 },
  );
  return new Set(
    values
      .flat()
      .flatMap((value) => [value, value.replaceAll(/\s+/g, " ").trim()])
      .filter(Boolean),
  );
}

/**
 * Returns whether a field is a password field; waits for a busy page.
 *
 * @throws {AutomationError} `step_failed` if the page does not respond.
 */
export async function isPasswordField(locator: Locator, signal?: AbortSignal): Promise<boolean> {
  return askElement((bound) => locator.evaluate((field, selector) => field.matches(selector), fields, bound), signal);
}
