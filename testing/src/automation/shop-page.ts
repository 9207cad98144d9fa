import { h, type TreeElement } from "./element-tree.ts";

const customers: readonly (readonly [name: string, city: string])[] = [
  ["Alice Moore", "Rome"],
  ["Bob Stone", "Oslo"],
  ["Carol White", "Bonn"],
];

/** A page with all that targets are made of. `data-truth` names elements for tests. */
export function shopPage(): TreeElement {
  return h(
    "div",
    { class: "app" },
    navigation(),
    h("main", { class: "content" }, finder(), login(), letters(), people(), offers()),
    footer(),
  );
}

function navigation(): TreeElement {
  const links = [
    h("a", { href: "/home", "data-truth": "home" }, "Home"),
    h("a", { href: "/orders" }, "Orders"),
    h("a", { href: "/basket", "data-truth": "basket" }, "Basket (3)"),
  ];
  return h("nav", { class: "top", "aria-label": "Main" }, ...links);
}

function finder(): TreeElement {
  const query = field(
    "query",
    "Product name",
    h("input", { id: "query", name: "q", type: "text", "data-truth": "query" }),
  );
  const options = ["All", "Books"].map((text) => h("option", {}, text));
  const category = field(
    "category",
    "Category",
    h("select", { id: "category", name: "category", "data-truth": "category" }, ...options),
  );
  const search = button("search", "Search", { class: "primary", "data-testid": "search-button" });
  return section(
    "finder",
    "Find products",
    h("form", { class: "row", role: "search", id: "finder" }, query, category, search),
  );
}

function login(): TreeElement {
  const fields = [
    field("mail", "E-mail", h("input", { id: "mail", name: "mail", type: "email", "data-truth": "mail" })),
    field("secret", "Password", h("input", { id: "secret", name: "secret", type: "password", "data-truth": "secret" })),
    field(
      "remember",
      "Remember me",
      h("input", { id: "remember", name: "remember", type: "checkbox", "data-truth": "remember" }),
    ),
  ];
  const form = h(
    "form",
    { "aria-label": "Sign in", id: "login" },
    ...fields,
    button("sign-in", "Sign in", { id: "sign-in" }),
  );
  return section("login", "Your account", form);
}

function letters(): TreeElement {
  const address = h("input", {
    type: "email",
    placeholder: "Where to send it",
    name: "letter",
    "data-truth": "letter",
  });
  return section("letters", "Newsletter", address, button("subscribe", "Subscribe"));
}

function people(): TreeElement {
  const head = h("thead", {}, h("tr", {}, ...["Customer", "City", "Action"].map((text) => h("th", {}, text))));
  const rows = customers.map(([name, city], index) =>
    h("tr", {}, h("td", {}, name), h("td", {}, city), h("td", {}, button(`edit-${index}`, "Edit"))),
  );
  const table = h("table", { class: "grid", "data-truth": "table" }, head, h("tbody", {}, ...rows));
  return section(
    "people",
    "Customers",
    table,
    h("a", { href: "/customers?page=2", class: "next", "data-truth": "next" }, "Next"),
  );
}

function offers(): TreeElement {
  return section("offers", "Offers", card("lamp", "Blue lamp"), card("oak", "Oak table"));
}

function card(truth: string, name: string): TreeElement {
  return h("div", { class: "card" }, h("h3", {}, name), button(truth, "Add to cart"));
}

function footer(): TreeElement {
  return h("footer", { class: "bottom" }, h("a", { href: "/imprint", "data-truth": "imprint" }, "Imprint"));
}

function section(name: string, heading: string, ...children: TreeElement[]): TreeElement {
  return h("section", { class: name }, h("h2", {}, heading), ...children);
}

function field(id: string, label: string, input: TreeElement): TreeElement {
  return h("div", { class: "field" }, h("label", { for: id }, label), input);
}

function button(truth: string, text: string, attributes: Record<string, string> = {}): TreeElement {
  return h("button", { type: "button", ...attributes, "data-truth": truth }, text);
}
