import { escapeHtml } from "./element-tree.ts";
import { htmlDocument } from "./site-pages.ts";

/** The products of the site. */
export const products = Array.from({ length: 23 }, (_, index) => ({
  Name: `${["Lamp", "Chair", "Table", "Shelf"][index % 4]} ${index + 1}`,
  Price: `${10 + index}.00 EUR`,
  Stock: String((index * 7) % 11),
}));

/** Rows of one page. */
const perPage = 5;

/** A page of the search: those products that have the words in their names, five at a time. */
export function productsPage(query: string, page: number): string {
  const found = products.filter(({ Name }) => Name.toLowerCase().includes(query.toLowerCase()));
  const last = Math.max(1, Math.ceil(found.length / perPage));
  const shown = found.slice((page - 1) * perPage, page * perPage);
  const link = (to: number, text: string): string =>
    `<a href="/products?q=${encodeURIComponent(query)}&amp;page=${to}">${text}</a>`;
  const rows = shown.map(({ Name, Price, Stock }) => `<tr><td>${Name}</td><td>${Price}</td><td>${Stock}</td></tr>`);
  return htmlDocument(
    "Products",
    `<h1>Products</h1>
    <form action="/products" role="search"><label>Search <input name="q" value="${escapeHtml(query)}"></label> <button>Search</button></form>
    <p>${found.length} products</p>
    <table><caption>Results</caption><thead><tr><th>Name</th><th>Price</th><th>Stock</th></tr></thead><tbody>${rows.join("")}</tbody></table>
    <nav aria-label="Pages">${page > 1 ? link(page - 1, "Previous") : ""} ${page < last ? link(page + 1, "Next") : ""}</nav>`,
  );
}
