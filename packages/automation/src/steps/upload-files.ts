import type { FileChooser, Locator, Page } from "playwright-core";
import { StepError } from "../automation-error.ts";
import type { FilesAtWork } from "../page/files.ts";
import { quoteList } from "../quote.ts";
import { awaitPerformed, type ActOptions } from "./closing-action.ts";

/** Longest time from a click until its file chooser opens, in milliseconds. */
const chooserMs = 5_000;
/** Most names that an error lists. */
const maxListed = 10;

/**
 * Returns the paths of files of the session on this machine.
 *
 * @throws {AutomationError} `step_failed` if it has no such file, or keeps none.
 */
export async function findFilePaths(
  names: readonly string[],
  files: FilesAtWork | undefined,
): Promise<readonly string[]> {
  if (!files) throw new StepError("the session keeps no files");
  if (names.length === 0) throw new StepError("no file is named");
  const paths: string[] = [];
  for (const name of names) {
    const path = await files.findPath(name).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new StepError(`the file ${JSON.stringify(name)} can't be read: ${why}`);
    });
    if (path === undefined) throw new StepError(describeMissingFile(name, files.names()));
    paths.push(path);
  }
  return paths;
}

function describeMissingFile(name: string, available: readonly string[]): string {
  const has = available.length === 0 ? "it has none" : `it has ${quoteList(available, maxListed)}`;
  return `the session has no file ${JSON.stringify(name)}: ${has}; start the run with it, or upload it to the session`;
}

/**
 * Puts files into a file input; into the file chooser that a click on any other element opens.
 *
 * @throws {AutomationError} `step_failed` if no file chooser opens, or it takes one file only.
 */
export async function chooseFiles(
  page: Page,
  locator: Locator,
  paths: readonly string[],
  options: ActOptions,
): Promise<void> {
  const input = await findInput(locator, options);
  const { isDisabled, isMultiple } = input ? await input.evaluate(readState, undefined, options) : opened;
  if (isDisabled) throw new StepError("it is disabled");
  if (!isMultiple) requireOne(paths);
  if (input) return input.setInputFiles([...paths], options);
  const chooser = await openChooser(page, locator, options);
  if (!chooser.isMultiple()) requireOne(paths);
  await chooser.setFiles([...paths], { timeout: options.timeout });
}

/** State that is assumed before a file chooser has opened. */
const opened = { isDisabled: false, isMultiple: true };

function requireOne(paths: readonly string[]): void {
  if (paths.length > 1) throw new StepError(`it takes one file, not ${paths.length}`);
}

/** Returns the file input that an element is, labels, or holds alone; undefined if that is none. */
async function findInput(locator: Locator, options: ActOptions): Promise<Locator | undefined> {
  const kind = await locator.evaluate(classifyInput, undefined, options);
  if (kind === "input") return locator;
  // A label leads its control to Playwright, too; what is asked for is in the same frame.
  if (kind === "holder") return locator.locator("input[type=file]");
  return undefined;
}

/** Runs in the page. */
function classifyInput(element: Element): "input" | "holder" | "other" {
  if (element instanceof HTMLInputElement && element.type === "file") return "input";
  if (element.matches("button, a[href]")) return "other";
  return element.querySelectorAll("input[type=file]").length === 1 ? "holder" : "other";
}

/** Runs in the page. */
function readState(input: Element): { isDisabled: boolean; isMultiple: boolean } {
  return {
    isDisabled: input.matches(":disabled"),
    isMultiple: input instanceof HTMLInputElement && input.multiple,
  };
}

async function openChooser(page: Page, locator: Locator, options: ActOptions): Promise<FileChooser> {
  const opening = page.waitForEvent("filechooser", { timeout: chooserMs }).catch(() => undefined);
  await awaitPerformed(locator.click(options));
  const chooser = await opening;
  options.signal.throwIfAborted();
  if (!chooser) throw new StepError("it is no file input, and no file chooser opened when it was clicked");
  return chooser;
}
