import type { Pages } from "./real-service.ts";

/** Sections of the long page. */
const sections = 120;

const pages: Readonly<Record<string, string>> = {
  "/": `<title>Shop</title><nav><a href="/chairs">Chairs</a> <a href="/manual">Manual</a></nav><main><h1>Shop</h1><p>Open until <b>18:30</b>.</p></main><footer>Imprint</footer>`,
  "/chairs": `<title>Chairs</title><h1>Chairs</h1><table><tr><th>Name</th><th>Price</th></tr><tr><td>Oak</td><td>120 EUR</td></tr><tr><td>Pine</td><td>80 EUR</td></tr></table><img src="/oak.png" alt="An oak chair" width="200" height="200"><a href="/oak">Oak</a>`,
  "/oak": `<title>Oak</title><h1>Oak chair</h1><p>Price: 120 EUR</p><form action="/bought"><label>Amount <input name="amount"></label><button>Buy</button></form>`,
  "/bought": `<title>Bought</title><h1>Thank you</h1><dl><dt>Order number</dt><dd>4711</dd></dl>`,
  "/empty": `<title>Nothing</title>`,
  "/manual": `<title>Manual</title><h1>Manual</h1>${Array.from(
    { length: sections },
    (_, index) =>
      `<h2>Part ${index + 1}</h2><p>${"All about this part of the machine. ".repeat(20)}</p>${index === 76 ? "<h3>Warranty</h3><p>The warranty lasts 27 months from the day of purchase.</p>" : ""}`,
  ).join("")}`,
};

/** A small shop, with a manual that is longer than a result, and a cookie. */
export const taskSite: Pages = (path) => ({
  body: pages[path.split("?")[0] ?? "/"] ?? "<h1>Not found</h1>",
  headers: path === "/" ? { "set-cookie": "sid=53cr3t; HttpOnly; Path=/" } : {},
});
