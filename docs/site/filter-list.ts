/** Filters of a list: the attributes of its items that a person can choose by, and what they are called. */
const choices: readonly (readonly [attribute: string, label: string])[] = [
  ["level", "Level"],
  ["operation", "Operation"],
  ["judged", "Checks"],
  ["reading", "Readings"],
];

/**
 * Shows, of the items that the attribute `items` selects, those that have all words that are typed and the values that are chosen. What is
 * chosen is kept in the address, so that it can be passed on. Without scripts the whole list is there.
 */
class FilterList extends HTMLElement {
  connectedCallback(): void {
    const items = [...document.querySelectorAll<HTMLElement>(this.getAttribute("items") ?? "")];
    const texts = new Map(items.map((item) => [item, (item.textContent ?? "").toLowerCase()]));
    const form = document.createElement("form");
    form.setAttribute("role", "search");
    const words = labelField("Words", document.createElement("input"));
    words.field.type = "search";
    words.field.name = "q";
    const selects = choices.map(([attribute, label]) => {
      const values = [...new Set(items.map((item) => item.dataset[attribute] ?? ""))].sort();
      const { outer, field } = labelField(label, document.createElement("select"));
      field.name = attribute;
      field.append(new Option("any", ""), ...values.map((value) => new Option(value, value)));
      return { outer, field };
    });
    const count = document.createElement("p");
    count.setAttribute("role", "status");
    form.append(words.outer, ...selects.map(({ outer }) => outer), count);
    this.replaceChildren(form);

    const parameters = new URLSearchParams(location.search);
    for (const field of [words.field, ...selects.map((one) => one.field)])
      field.value = parameters.get(field.name) ?? "";

    const apply = (): void => {
      const searchWords = words.field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shownCount = 0;
      for (const item of items) {
        const fits =
          searchWords.every((word) => texts.get(item)?.includes(word)) &&
          selects.every(({ field }) => field.value === "" || item.dataset[field.name] === field.value);
        item.hidden = !fits;
        if (fits) shownCount++;
      }
      count.textContent = `${shownCount} of ${items.length}`;
    };
    const keep = (): void => {
      const chosen = new URLSearchParams();
      for (const field of [words.field, ...selects.map((one) => one.field)]) {
        if (field.value !== "") chosen.set(field.name, field.value);
      }
      const query = chosen.toString();
      history.replaceState(null, "", `${location.pathname}${query && `?${query}`}${location.hash}`);
    };
    form.addEventListener("input", () => {
      apply();
      keep();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }
}

function labelField<Field extends HTMLElement>(text: string, field: Field): { outer: HTMLLabelElement; field: Field } {
  const outer = document.createElement("label");
  outer.append(text, field);
  return { outer, field };
}

customElements.define("filter-list", FilterList);
