/** A field or box, and the value it was set to. */
export interface HeldValue {
  /** The value as it was set; `true` or `false` for a box. */
  readonly expected: string | boolean;
  /** Label for people. */
  readonly label: string;
  /** True for a secret, which no message may contain. */
  readonly isSecret: boolean;
}

/** A held value that the page has changed. */
export interface ChangedValue extends HeldValue {
  /** What it holds now. */
  readonly now: string | boolean;
}

/** The values that steps have set in one document, in the page. */
export interface HeldValues {
  /** Records the value that was set in a field or box. */
  readonly hold: (element: Element, held: HeldValue) => void;
  /** Returns the changed values because of which a form was not sent since the last call. */
  readonly blocked: () => readonly ChangedValue[];
  /** Returns those, and all values that the page changed. */
  readonly changed: () => readonly ChangedValue[];
  /** Blurs the focused field if it has a recorded value, as the next step would. */
  readonly blur: () => void;
  /** Forgets all values: a click may change them. */
  readonly release: () => void;
}

/** Name of the symbol under which a document keeps its held values. */
export const heldSymbol = "cloud-browser.held-values";

/**
 * Runs in the page: records the values that steps set, and prevents the page from sending a form with other ones.
 */
export function holdValues(symbol: string): void {
  const key = Symbol.for(symbol);
  if (Reflect.has(globalThis, key)) return;
  interface Held extends HeldValue {
    readonly element: Element;
  }
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  let held: Held[] = [];
  /** Labels of the elements, as an element that was removed has none. */
  const labels = new WeakMap<Element, string>();
  const readLabel = (element: Element): string =>
    "labels" in element && element.labels instanceof NodeList ? oneLine(element.labels[0]?.textContent) : "";
  const blocked: ChangedValue[] = [];
  const readValue = (element: Element, expected: string | boolean): string | boolean => {
    if (typeof expected === "boolean")
      return element instanceof HTMLInputElement
        ? element.checked
        : (element.getAttribute("aria-checked") ?? element.getAttribute("aria-pressed")) === "true";
    if (element instanceof HTMLSelectElement)
      return element.multiple && [...element.selectedOptions].some((option) => oneLine(option.label) === expected)
        ? expected
        : oneLine(element.selectedOptions[0]?.label);
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value;
    return element instanceof HTMLElement ? element.innerText : "";
  };
  /** Returns the numbers of a text, sorted, without leading zeros. */
  const joinGroups = (text: string): string =>
    (text.match(/\d+/g) ?? [])
      .map((digits) => digits.replace(/^0+(?=\d)/, ""))
      .sort()
      .join(" ");
  const findNumber = (text: string): number | undefined => {
    const [, sign, digits] = /^[^\d+−-]*([+−-]?)[^\d]*(\d[\d.,\s'’]*)\D*$/.exec(text.trim()) ?? [];
    if (digits === undefined) return undefined;
    const bare = digits.replace(/[\s'’]/g, "").replace(/[.,]$/, "");
    const separators = bare.match(/[.,]/g) ?? [];
    const last = Math.max(bare.lastIndexOf("."), bare.lastIndexOf(","));
    const isGrouped = separators.length > 0 && new Set(separators).size === 1 && /^\d{1,3}(?:[.,]\d{3})+$/.test(bare);
    const number =
      last < 0 || isGrouped
        ? Number(bare.replace(/[.,]/g, ""))
        : Number(`${bare.slice(0, last).replace(/[.,]/g, "")}.${bare.slice(last + 1)}`);
    return Number.isNaN(number) ? undefined : sign === "-" || sign === "−" ? -number : number;
  };
  /** Returns whether two values differ only in form: capitals, white space, separators, a mask, a unit. */
  const isSame = (expected: string | boolean, value: string | boolean, element: Element): boolean => {
    if (typeof expected === "boolean" || typeof value === "boolean") return expected === value;
    if (value === expected) return true;
    if (element instanceof HTMLInputElement && element.type === "password") return false;
    if (element instanceof HTMLSelectElement) return oneLine(expected).toLowerCase() === oneLine(value).toLowerCase();
    const normalize = (text: string): string =>
      text
        .replace(/[“”„«»]/g, '"')
        .replace(/[‘’‚]/g, "'")
        .replace(/[–—‑]/g, "-")
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[\s\u00AD\u200B-\u200D\uFEFF]/g, "");
    if (normalize(expected) === normalize(value)) return true;
    if (normalize(expected) === "") return !/[\p{L}\p{N}]/u.test(value);
    if (/^https?:/i.test(value) && !/\s/.test(expected)) {
      const dropScheme = (text: string): string =>
        normalize(text)
          .replace(/^https?:\/\//, "")
          .replace(/\/$/, "");
      if (dropScheme(expected) === dropScheme(value)) return true;
    }
    const dropSigns = (text: string): string => normalize(text).replace(/[-‐‑–()./:,'’]/g, "");
    if (/\p{L}/u.test(expected)) return /\d/.test(expected) && dropSigns(expected) === dropSigns(value);
    if (!/^[\d\s+−().,:/-]*$/.test(expected)) return false;
    const [one, other] = [findNumber(expected), findNumber(value)];
    const isNumber = /^[+−-]?\d+(?:[.,]\d+)?$|^[+−-]?\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d+)?$/.test(expected.trim());
    if (isNumber && one !== undefined && one === other) return true;
    const keepDigits = (text: string): string => text.replace(/\D/g, "");
    const isSigned = /^\s*[−-]/.test(expected);
    const hasFraction = isNumber && /[.,]\d{1,2}$/.test(expected.trim());
    if (!isSigned && !hasFraction && keepDigits(expected) === keepDigits(value)) return true;
    return /\d\D+\d+\D+\d/.test(expected) && joinGroups(expected) === joinGroups(value);
  };
  /** Returns the field or box that replaced a removed one: of the same kind, with the same id, name or label. */
  const findSuccessor = (element: Element): Element | undefined => {
    const identifyField = (one: Element): string =>
      one.id || one.getAttribute("name") || one.getAttribute("aria-label") || labels.get(one) || readLabel(one);
    const name = identifyField(element);
    const alike = [...document.querySelectorAll(element.localName)].filter(
      (one) => name !== "" && one.getAttribute("type") === element.getAttribute("type") && identifyField(one) === name,
    );
    return alike.length === 1 ? alike[0] : undefined;
  };
  const listChanged = (): ChangedValue[] =>
    held.flatMap(({ element, expected, label, isSecret }) => {
      const current = element.isConnected ? element : findSuccessor(element);
      if (!current) return [];
      const value = readValue(current, expected);
      return isSame(expected, value, element)
        ? []
        : [{ expected: isSecret ? "" : expected, label, isSecret, now: isSecret ? "" : value }];
    });
  /** Prevents, before listeners of the page run, a click or submission that would send other values than those that were set. */
  const guard = (event: Event): void => {
    if (!event.isTrusted || held.length === 0 || !(event.target instanceof Element)) return;
    const control = event.target.closest("button, input[type=submit], input[type=image], [role=button], a[href]");
    if (event.type === "click" && !control) return;
    const changed = listChanged();
    const controlText = control ? oneLine(control.textContent).toLowerCase() : undefined;
    if (changed.length === 0 || changed.some(({ now: value }) => String(value).toLowerCase() === controlText)) return;
    blocked.push(...changed);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of ["click", "submit"]) addEventListener(type, guard, { capture: true });

  const isBox = ({ expected }: HeldValue): boolean => typeof expected === "boolean";
  const values: HeldValues = {
    hold(target, { expected, label, isSecret }) {
      const element = target instanceof HTMLLabelElement ? (target.control ?? target) : target;
      const isKnown =
        typeof expected === "boolean"
          ? element instanceof HTMLInputElement || element.matches("[aria-checked], [aria-pressed]")
          : element.matches("input, textarea, select") || (element instanceof HTMLElement && element.isContentEditable);
      if (!isKnown) return;
      const one = { element, expected, label, isSecret };
      labels.set(element, readLabel(element));
      held = [...held.filter((other) => other.element !== element && !(isBox(one) && isBox(other))), one];
    },
    blocked() {
      return blocked.splice(0);
    },
    changed() {
      return [...blocked.splice(0), ...listChanged()];
    },
    blur() {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && held.some(({ element }) => element === activeElement))
        activeElement.blur();
    },
    release() {
      held = [];
    },
  };
  Object.defineProperty(globalThis, key, { value: values });
}
