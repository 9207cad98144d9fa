import type { Locator, Page } from "playwright-core";
import { AutomationError, StepError } from "../automation-error.ts";
import { awaitPerformed, type ActOptions } from "./closing-action.ts";
import { findNameIndex } from "../targets/same-name.ts";
import { compareNames } from "../targets/similar-names.ts";
import { quoteText, quoteList } from "../quote.ts";

const maxListed = 12;

/**
 * Selects an option by its text, or by its value; also in custom lists. In a multiple select, the selected options
 * stay selected. Returns the text of the option.
 *
 * @throws {AutomationError} `step_failed`, listing the options.
 */
export async function selectOption(page: Page, locator: Locator, name: string, options: ActOptions): Promise<string> {
  const available = await locator.evaluate(
    (element) =>
      element instanceof HTMLSelectElement
        ? [...element.options].map(({ label, value, disabled, selected }) => ({
            label: label.replace(/\s+/g, " ").trim(),
            value,
            disabled,
            isKept: element.multiple && selected,
          }))
        : undefined,
    undefined,
    options,
  );
  if (available === undefined) return selectCustomOption(page, locator, name, options);
  const index = findOption(available, name);
  const option = index === undefined ? undefined : available[index];
  if (index === undefined || option === undefined)
    throw createNoOptionError(
      name,
      available.map(({ label }) => label),
    );
  if (option.disabled) throw new StepError(`the option ${JSON.stringify(option.label)} is disabled`);
  const keep = available.flatMap(({ isKept }, at) => (isKept ? [{ index: at }] : []));
  await locator.selectOption([...keep, { index }], options);
  return option.label;
}

/** Selects in a custom list: one that opens on a click, with elements of role `option`. */
async function selectCustomOption(page: Page, locator: Locator, name: string, options: ActOptions): Promise<string> {
  const listedOptions = page.getByRole("option").filter({ visible: true });
  if ((await listedOptions.count()) === 0) await locator.click(options);
  await listedOptions
    .first()
    .waitFor(options)
    .catch(() => options.signal.throwIfAborted());
  const labels = (await listedOptions.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  const index = findOption(
    labels.map((label) => ({ label, value: label })),
    name,
  );
  if (index === undefined) throw createNoOptionError(name, labels);
  await awaitPerformed(listedOptions.nth(index).click(options));
  return labels[index] ?? name;
}

/**
 * Returns the index of the option of a name, as `compileNamePatterns` defines it. An option also matches by its value if its label has
 * nothing in common with that: "L" matches the value of "Large", but "large" not that of "Extra Large".
 */
function findOption(
  options: readonly { readonly label: string; readonly value: string }[],
  name: string,
): number | undefined {
  const labels = options.map(({ label }) => label);
  const match = findNameIndex(labels, name, "option");
  if (match !== undefined && "several" in match)
    throw new StepError(`${match.several} options are named ${quoteText(name)}`);
  if (match !== undefined) return match.index;
  const byValue = options.findIndex(({ value }) => value === name);
  return byValue >= 0 && compareNames(name, labels[byValue] ?? "") === 0 ? byValue : undefined;
}

function createNoOptionError(name: string, labels: readonly string[]): AutomationError {
  const instead = labels.length > 0 ? `there are ${quoteList(labels, maxListed)}` : "it has no options";
  return new StepError(`it has no option ${quoteText(name)}; ${instead}`);
}
