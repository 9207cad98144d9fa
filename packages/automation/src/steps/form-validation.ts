import type { Locator } from "playwright-core";
import { within } from "../async.ts";

/** Longest wait for the page to answer, in milliseconds. */
const timeoutMs = 2000;

/**
 * Watches whether the browser keeps back the form that an element belongs to, because of what stands in its fields.
 *
 * @returns Ends the watch; gives what the browser says about the first such field, undefined when the form was not kept back.
 */
export async function watchForm(locator: Locator): Promise<() => Promise<string | undefined>> {
  if ((await within(timeoutMs, locator.count())) !== 1) return async () => undefined;
  const watch = await within(timeoutMs, locator.evaluateHandle(listen, undefined, { timeout: timeoutMs }));
  const endOf = ({ seen, end }: ReturnType<typeof listen>): string | undefined => {
    end.abort();
    return seen[0];
  };
  // A page that has gone elsewhere does not answer: the form was sent.
  return async () => watch && within(timeoutMs, watch.evaluate(endOf));
}

/** Runs in the page. */
function listen(element: Element): { seen: string[]; end: AbortController } {
  const seen: string[] = [];
  const end = new AbortController();
  const control = element.closest<HTMLInputElement | HTMLButtonElement>("button, input");
  const note = ({ target: field }: Event): void => {
    if (!(field instanceof HTMLElement) || !("validationMessage" in field)) return;
    const name = ("labels" in field && field.labels instanceof NodeList && field.labels[0]?.textContent) || "";
    seen.push(
      `${name.replaceAll(/\s+/g, " ").trim() || field.getAttribute("name")}: ${String(field.validationMessage)}`.slice(
        0,
        200,
      ),
    );
  };
  const sends = control !== null && !/^(?:button|reset|checkbox|radio)$/.test(control.type);
  if (sends) control.form?.addEventListener("invalid", note, { capture: true, signal: end.signal });
  return { seen, end };
}
