import type { ElementHandle, Page } from "playwright-core";
import { awaitWithin } from "../async.ts";
import { moreNames, nextNames } from "./further-names.ts";

/** A control that shows more items: a link to the next page, or a button that loads more. */
export interface Further {
  /** Its element. */
  readonly element: ElementHandle<Element>;
  /** Its name, as the page shows it. */
  readonly name: string;
  /** `next` leads to other content, `more` adds to what is shown. */
  readonly kind: "next" | "more";
}

/** Longest search, in milliseconds. */
const timeoutMs = 3000;

/**
 * Finds the control of a page that shows more of what is read: to the next page, by its name or its number, or one that loads more.
 *
 * @param read - Number of pages that have been read: the number of the current one, when no number is marked.
 * @param tried - Names of controls that showed nothing new.
 */
export async function findFurther(
  page: Page,
  read: number,
  tried: readonly string[] = [],
): Promise<Further | undefined> {
  const search = page.evaluateHandle(searchFurther, { nextNames, moreNames, read, tried });
  const handle = await awaitWithin(timeoutMs, search);
  const found = handle && (await awaitWithin(timeoutMs, handle.jsonValue()));
  const element = found && (await awaitWithin(timeoutMs, handle.getProperty("element")))?.asElement();
  return element ? { name: found.name, kind: found.kind, element } : undefined;
}

/** Searches the document for the control. Runs in the page, and in the exported source of a function. */
export function searchFurther({
  nextNames: next,
  moreNames: more,
  read,
  tried,
}: {
  nextNames: string;
  moreNames: string;
  read: number;
  tried: readonly string[];
}): { element: Element; name: string; kind: "next" | "more" } | null {
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const getName = (element: Element): string => {
    const own = element instanceof HTMLElement ? element.innerText : element.textContent;
    const value = element instanceof HTMLInputElement ? element.value : "";
    const image = element.querySelector("img[alt], svg[aria-label]");
    return oneLine(
      element.getAttribute("aria-label") ||
        oneLine(own) ||
        value ||
        element.getAttribute("title") ||
        image?.getAttribute("alt") ||
        image?.getAttribute("aria-label"),
    );
  };
  const isOff = (element: Element): boolean => element.closest(":disabled, [aria-disabled=true], .disabled") !== null;
  /** Returns whether a control submits a form with fields to type in: a pager has none. */
  const sends = (element: Element): boolean => {
    const form = element instanceof HTMLButtonElement || element instanceof HTMLInputElement ? element.form : null;
    const isSubmit = "type" in element && /^(?:submit|image)$/.test(String(element.type));
    return isSubmit && form?.querySelector("input:not([type=hidden], [type=submit], [type=button]), textarea") != null;
  };
  const selectDeep = (root: Document | ShadowRoot, selector: string): Element[] => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll("*")].flatMap((one) => (one.shadowRoot ? selectDeep(one.shadowRoot, selector) : [])),
  ];
  const controls = selectDeep(
    document,
    "a, button, [role=button], [role=link], input[type=button], input[type=submit], [onclick]",
  ).filter((element) => element.checkVisibility({ visibilityProperty: true }) && !sends(element));
  const usable = controls.filter((element) => !isOff(element));
  const strip = (name: string): string =>
    oneLine(
      name
        .toLowerCase()
        .replace(/[([]\s*\d[\d.,/ ]*[)\]]/g, " ")
        .replace(/^[\s›»→>❯▶+↓…]+|[\s›»→>❯▶↓….:]+$/gu, ""),
    );
  const isNext = new RegExp(`^(?:${next})$`, "u");
  const isMore = new RegExp(`^(?:${more})$`, "u");
  const isTried = (element: Element): boolean => tried.includes(getName(element));
  const fits = (element: Element, pattern: RegExp): boolean =>
    !isTried(element) && pattern.test(strip(getName(element)));

  const declared = usable.find((element) => element.matches("a[rel~=next i]") && !isTried(element));
  if (declared) return { element: declared, name: getName(declared) || "next", kind: "next" };
  const byName = usable.findLast((element) => fits(element, isNext));
  if (byName) return { element: byName, name: getName(byName), kind: "next" };

  /** Returns the page number that an element shows. */
  const findNumber = (element: Element): number | undefined => {
    const [, digits] =
      /^(?:(?:go to )?(?:page|seite|página|pagina|strona|страница|第)\s?)?(\d{1,4})(?:\s?(?:ページ|页|頁))?$/iu.exec(
        getName(element),
      ) ?? [];
    return digits === undefined ? undefined : Number(digits);
  };
  const numbered = controls.filter(
    (element) =>
      findNumber(element) !== undefined && !element.closest("table, [role=grid], [role=slider], [role=radiogroup]"),
  );
  const pagers = new Set(
    numbered.flatMap((element) => {
      for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
        const inside = numbered.filter((other) => around.contains(other));
        const marks = around.querySelectorAll("[aria-current], .current, .active, .selected, strong, b, span, em");
        if (
          inside.length > 1 ||
          [...marks].some(
            (mark) =>
              !inside.includes(mark) &&
              !inside.some((other) => other.contains(mark) || mark.contains(other)) &&
              /^\d{1,4}$/.test(oneLine(mark.textContent)),
          )
        )
          return [around];
      }
      return [];
    }),
  );
  for (const pager of pagers) {
    const inside = numbered.filter((element) => pager.contains(element));
    const marks = [...pager.querySelectorAll("*")].filter((element) => /^\d{1,4}$/.test(oneLine(element.textContent)));
    const isCurrent = (element: Element): boolean => {
      const marked = element.closest(
        "[aria-current]:not([aria-current=false]), .current, .active, .selected, [aria-selected=true], [aria-pressed=true], :disabled, [aria-disabled=true]",
      );
      return marked !== null && pager.contains(marked) && marked !== pager;
    };
    const plain = marks.find(
      (element) => element.children.length === 0 && !numbered.some((other) => other.contains(element)),
    );
    const marked = marks.find(isCurrent) ?? plain;
    const current = marked ? Number(oneLine(marked.textContent)) : read;
    const following = inside.find((element) => findNumber(element) === current + 1 && !isOff(element));
    if (following && !isTried(following)) return { element: following, name: getName(following), kind: "next" };
  }
  const signed = usable.findLast((element) => !isTried(element) && /^(?:[›»→❯▶⟩]|>{1,2})$/u.test(getName(element)));
  if (signed) return { element: signed, name: getName(signed), kind: "next" };
  const adding = usable.findLast(
    (element) => fits(element, isMore) && !element.closest("tr:not(tfoot tr), [role=row]"),
  );
  return adding ? { element: adding, name: getName(adding), kind: "more" } : null;
}
