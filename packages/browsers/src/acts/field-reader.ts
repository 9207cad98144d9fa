/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */

/** Knowledge of the fields of a document. */
export interface FieldReader {
  /** Returns the element that an event came to. */
  readonly findHost: (event: Event) => Element | undefined;
  /** Returns whether somebody can write in an element, or choose in it. */
  readonly isField: (element: Element | undefined) => element is Element;
  /** Returns the whole field that a part belongs to: of a text with parts, all of it. */
  readonly findField: (element: Element) => Element;
  /** Returns what a field holds. */
  readonly getValue: (field: Element) => string;
  /** Returns whether what a field holds is more than text. */
  readonly isRich: (field: Element) => boolean;
  /** Returns what the code of the page calls a field. */
  readonly listNames: (field: Element) => readonly string[];
  /** Returns what a click on an element acts on; undefined for what is told as it is set. */
  readonly findClicked: (host: Element) => Element | undefined;
}

/** Reads the fields of a document. Runs in the page, in a world of its own: it uses nothing outside of itself. */
export function readFields(): FieldReader {
  const isEditable = (element: Element): element is HTMLElement =>
    element instanceof HTMLElement && element.isContentEditable;
  const actionable =
    "a[href], area[href], button, input, select, textarea, summary, option, label, [role], [onclick], [tabindex], [contenteditable]";
  return {
    findHost: (event) => {
      const [first] = event.composedPath();
      if (first instanceof Element) return first;
      return first instanceof Node ? (first.parentElement ?? undefined) : undefined;
    },
    isField: (element): element is Element =>
      element !== undefined && (element.matches("input:not([type=hidden]), textarea, select") || isEditable(element)),
    findField: (element) => element.closest("[contenteditable]:not([contenteditable=false])") ?? element,
    getValue: (field) => {
      if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ label }) => label).join(", ");
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value;
      const text = field.textContent ?? "";
      return field instanceof HTMLElement && text.length < 5_000 ? field.innerText : text;
    },
    isRich: (field) => isEditable(field) && field.querySelector(":not(br, div, p, span)") !== null,
    listNames: (field) => ["name", "id"].map((name) => field.getAttribute(name) ?? "").filter((name) => name !== ""),
    findClicked: (host) => {
      const found = host.closest(actionable) ?? host;
      const label = host.closest("label");
      // The click on a label is one on its field; what that changes is told as such.
      const field = label?.control && !found.matches("a, button") ? label.control : found;
      return field.matches("input:is([type=checkbox], [type=radio], [type=file], [type=range]), option, select")
        ? undefined
        : field;
    },
  };
}
