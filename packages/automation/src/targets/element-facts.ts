/** Properties of an element besides its role and name. */
export interface ElementFacts {
  /** Name of the element, in lower case. */
  readonly tag: string;
  /** Attributes that selectors can use. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Texts of its labels. */
  readonly labels: readonly string[];
  /** Its text, if that is short and it is not a field; empty otherwise. */
  readonly text: string;
  /** The form that it belongs to: its id, and the names of its fields; undefined if it belongs to none. */
  readonly form: { readonly id: string; readonly fields: readonly string[] } | undefined;
  /** A short CSS path from the nearest element with an id or a unique tag name. */
  readonly path: string;
}

/** Collects the properties of an element. Runs in the page. */
export function collectFacts(element: Element): ElementFacts {
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const attributeNames = [
    ["id", "name", "type", "value", "placeholder", "alt", "title", "href", "src", "role"],
    ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"],
  ].flat();
  const tag = element.localName;
  const isField = ["input", "select", "textarea"].includes(tag);
  const hasValue =
    tag === "input" && ["radio", "checkbox", "submit", "button"].includes(element.getAttribute("type") ?? "");
  const attributes = Object.fromEntries(
    attributeNames.flatMap((name) => {
      const value = element.getAttribute(name);
      return value === null || value === "" || value.length > 200 || (name === "value" && !hasValue)
        ? []
        : [[name, value]];
    }),
  );
  const labels = "labels" in element && element.labels instanceof NodeList ? [...element.labels] : [];
  const labelTexts = labels.map((label) => {
    const copy = label.cloneNode(true);
    if (!(copy instanceof Element)) return "";
    for (const field of copy.querySelectorAll("input, select, textarea, button")) field.remove();
    return oneLine(copy.textContent);
  });
  const text = isField ? "" : oneLine(element.textContent);
  const form = "form" in element && element.form instanceof HTMLFormElement ? element.form : element.closest("form");
  const fields = [...(form?.elements ?? [])].filter(
    (field) =>
      field !== element && field.matches("input:not([type=hidden], [type=submit], [type=image]), select, textarea"),
  );
  const ofItself = form?.contains(element) && element.matches("input, select, textarea") ? [element] : [];
  const names = [...fields, ...ofItself].map((field) => field.getAttribute("name") ?? "");
  const steps: string[] = [];
  const root = element.getRootNode();
  for (let one: Element | null = element; one && steps.length < 6; one = one.parentElement) {
    const name = CSS.escape(one.localName);
    const isOnly = (root instanceof Document || root instanceof ShadowRoot) && root.querySelectorAll(name).length === 1;
    if (one.id !== "" && one !== element) {
      steps.unshift(`#${CSS.escape(one.id)}`);
      break;
    }
    const like = [...(one.parentElement?.children ?? [])].filter((sibling) => sibling.localName === one?.localName);
    steps.unshift(isOnly || like.length < 2 ? name : `${name}:nth-of-type(${like.indexOf(one) + 1})`);
    if (isOnly) break;
  }
  return {
    tag,
    attributes,
    labels: labelTexts.filter(Boolean),
    text: text.length <= 60 ? text : "",
    form: form
      ? { id: form.id, fields: [...new Set(names)].filter((name) => name !== "" && name.length <= 60) }
      : undefined,
    path: steps.join(" > "),
  };
}
