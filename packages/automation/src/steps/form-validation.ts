import type { Locator } from "playwright-core";
import { awaitWithin } from "../async.ts";

/** Longest wait for the page to respond, in milliseconds. */
const timeoutMs = 2000;

/**
 * Watches whether form validation blocks the submission of the form that an element belongs to.
 *
 * @returns A function that stops watching; returns the validation message of the first invalid field, undefined if there was none.
 */
export async function watchFormValidation(locator: Locator): Promise<() => Promise<string | undefined>> {
  if ((await awaitWithin(timeoutMs, locator.count())) !== 1) return async () => undefined;
  const watch = await awaitWithin(timeoutMs, locator.evaluateHandle(listen, undefined, { timeout: timeoutMs }));
  const findEnd = ({ messages, end }: ReturnType<typeof listen>): string | undefined => {
    end.abort();
    return messages[0];
  };
  // A page that has navigated does not respond: the form was submitted.
  return async () => watch && awaitWithin(timeoutMs, watch.evaluate(findEnd));
}

/** Runs in the page. */
function listen(element: Element): { messages: string[]; end: AbortController } {
  const messages: string[] = [];
  const end = new AbortController();
  const control = element.closest<HTMLInputElement | HTMLButtonElement>("button, input");
  const note = ({ target: field }: Event): void => {
    if (!(field instanceof HTMLElement) || !("validationMessage" in field)) return;
    const name = ("labels" in field && field.labels instanceof NodeList && field.labels[0]?.textContent) || "";
    messages.push(
      `${name.replaceAll(/\s+/g, " ").trim() || field.getAttribute("name")}: ${String(field.validationMessage)}`.slice(
        0,
        200,
      ),
    );
  };
  const sends = control !== null && !/^(?:button|reset|checkbox|radio)$/.test(control.type);
  if (sends) control.form?.addEventListener("invalid", note, { capture: true, signal: end.signal });
  return { messages, end };
}
