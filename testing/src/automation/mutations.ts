import { h, listElements, type TreeElement } from "./element-tree.ts";

/** Random numbers that are the same for the same seed. */
interface Chance {
  /** Returns a number from 0 to 1. */
  next(): number;
  /** One of several. */
  pick<Item>(items: readonly Item[]): Item;
  /** Returns true with this probability. */
  happens(probability: number): boolean;
}

/** A change of a page; it never touches `data-truth`, by which tests know the elements. */
type Mutation = (root: TreeElement, chance: Chance) => void;

const longer = new Map([
  ["Search", "Search now"],
  ["Sign in", "Sign in here"],
  ["Add to cart", "Add item to cart"],
  ["Next", "Next page"],
  ["Subscribe", "Subscribe today"],
  ["Edit", "Edit entry"],
]);

const reworded = new Map([
  ["Product name", "Name of product"],
  ["E-mail", "E-mail address"],
  ["Category", "Categories"],
  ["Remember me", "Remember me here"],
  ["Find products", "Products"],
  ["Your account", "My account"],
  ["Newsletter", "Our newsletter"],
  ["Customers", "All customers"],
  ["Customer", "Client"],
]);

/** Changes that a redesign brings, by their names. */
const mutations: Readonly<Record<string, Mutation>> = {
  "classes are renamed": (root, chance) => {
    for (const { element } of listElements(root)) {
      if (element.attributes["class"] !== undefined)
        element.attributes["class"] = `c${Math.floor(chance.next() * 1e6)}`;
    }
  },
  "elements are wrapped": (root, chance) => {
    for (const { element, parent } of listElements(root)) {
      const isFixed = /^(?:tr|td|th|thead|tbody|option|legend|caption|li)$/.test(element.tag);
      const index = parent?.children.indexOf(element) ?? -1;
      if (parent === undefined || isFixed || index < 0 || !chance.happens(0.3)) continue;
      parent.children[index] = h(chance.pick(["div", "span"]), { class: "w" }, element);
    }
  },
  "siblings are reordered": (root, chance) => {
    for (const { element } of listElements(root)) {
      const isOrdered = /^(?:select|table|thead|tr|fieldset|label)$/.test(element.tag);
      if (isOrdered || element.children.some((child) => typeof child === "string") || !chance.happens(0.7)) continue;
      for (let last = element.children.length - 1; last > 0; last -= 1) {
        const other = Math.floor(chance.next() * (last + 1));
        const [one, two] = [element.children[last], element.children[other]];
        if (one !== undefined && two !== undefined) [element.children[last], element.children[other]] = [two, one];
      }
    }
  },
  "ids are made anew": (root, chance) => renameIds(root, (id) => `${id}-${Math.floor(chance.next() * 1e6)}`),
  "ids are passed on to other elements": (root, chance) => {
    const ids = listElements(root).flatMap(({ element }) => element.attributes["id"] ?? []);
    const shift = 1 + Math.floor(chance.next() * (ids.length - 1));
    renameIds(root, (id) => ids[(ids.indexOf(id) + shift) % ids.length] ?? id);
  },
  "texts change their case and white space": (root, chance) => {
    const changes = [
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
      (text: string) => `\n   ${text}\t `,
    ];
    for (const { element } of listElements(root)) {
      if (!/^(?:button|a|label|h2|h3|th|legend)$/.test(element.tag) || !chance.happens(0.5)) continue;
      const change = chance.pick(changes);
      element.children = element.children.map((child) => (typeof child === "string" ? change(child) : child));
    }
  },
  "buttons and links say a little more": (root, chance) => {
    for (const { element } of listElements(root)) {
      const [text] = element.children;
      const more = typeof text === "string" && /^(?:button|a)$/.test(element.tag) ? longer.get(text) : undefined;
      if (more !== undefined && chance.happens(0.4)) element.children = [more];
    }
  },
  "labels and headings are reworded": (root, chance) => {
    for (const { element } of listElements(root)) {
      const [text] = element.children;
      const other = typeof text === "string" && /^(?:label|h2|th)$/.test(element.tag) ? reworded.get(text) : undefined;
      if (other !== undefined && chance.happens(0.5)) element.children = [other];
    }
  },
  "forms and parts lose role and name": (root, chance) => {
    for (const { element } of listElements(root)) {
      if (!/^(?:form|nav|footer|main)$/.test(element.tag) || !chance.happens(0.5)) continue;
      element.tag = "div";
      for (const attribute of ["role", "aria-label"]) delete element.attributes[attribute];
    }
  },
  "names of fields are changed": (root, chance) => {
    for (const { element } of listElements(root)) {
      if (element.attributes["name"] !== undefined && chance.happens(0.5)) element.attributes["name"] += "2";
    }
  },
  "test ids are removed": (root) => {
    for (const { element } of listElements(root)) delete element.attributes["data-testid"];
  },
  "buttons become links": (root, chance) => {
    for (const { element } of listElements(root)) {
      if (element.tag !== "button" || !chance.happens(0.5)) continue;
      element.tag = chance.pick(["a", "div"]);
      delete element.attributes["type"];
      Object.assign(element.attributes, { role: "button", tabindex: "0" });
    }
  },
  "labels become names of their own": (root, chance) => {
    for (const { element: label } of listElements(root)) {
      const [text] = label.children;
      const id = label.attributes["for"];
      const field = listElements(root).find(
        ({ element }) => id !== undefined && element.attributes["id"] === id,
      )?.element;
      if (label.tag !== "label" || typeof text !== "string" || !field || !chance.happens(0.4)) continue;
      field.attributes["aria-label"] = text;
      label.tag = "span";
      delete label.attributes["for"];
    }
  },
  "a part moves into a shadow root": (root, chance) => {
    const { element } = chance.pick(listElements(root).filter((one) => one.element.tag === "section"));
    element.children = [h("x-part", { shadow: "" }, ...element.children)];
  },
  "other controls come": (root, chance) => {
    const names = [
      "Search history",
      "Sign up",
      "Help",
      "Edit profile",
      "Next steps",
      "Cart",
      "Subscribe to news",
      "Delete all",
    ];
    for (const { element } of listElements(root)) {
      if (!/^(?:section|nav)$/.test(element.tag) || !chance.happens(0.5)) continue;
      const control = h(chance.pick(["button", "a"]), { href: "#new", type: "button" }, chance.pick(names));
      element.children.splice(Math.floor(chance.next() * (element.children.length + 1)), 0, control);
    }
  },
};

/** Changes a page by several mutations, which the seed chooses. Gives their names. */
export function mutate(root: TreeElement, seed: number): string[] {
  const chance = makeChance(seed);
  const chosen = Object.entries(mutations).filter(() => chance.happens(0.5));
  for (const [, mutation] of chosen) mutation(root, chance);
  return chosen.map(([name]) => name);
}

/** Makes a source of chance (mulberry32). */
function makeChance(seed: number): Chance {
  let state = Math.imul(seed + 1, 0x9e3779b9);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("there is nothing to pick from");
      return item;
    },
    happens: (probability) => next() < probability,
  };
}

function renameIds(root: TreeElement, rename: (id: string) => string): void {
  const names = new Map<string, string>();
  for (const { element } of listElements(root)) {
    for (const attribute of ["id", "for", "aria-labelledby"]) {
      const id = element.attributes[attribute];
      if (id === undefined) continue;
      const name = names.get(id) ?? rename(id);
      names.set(id, name);
      element.attributes[attribute] = name;
    }
  }
}
