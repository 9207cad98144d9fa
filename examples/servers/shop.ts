import { listen, type LocalServer } from "./listen.ts";

/** A shop on loopback: a search form, a product that declares what it is, and a basket that a cookie holds. */
export async function startShop(): Promise<LocalServer> {
  return listen((request, response) => {
    const url = new URL(request.url ?? "/", "http://shop");
    if (url.pathname === "/basket") {
      return response.end(`basket ${/basket=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? "lost"}`);
    }
    const query = url.searchParams.get("q")?.replaceAll(/[^a-z ]/g, "") ?? null;
    const cookie = "basket=b17; HttpOnly; Path=/";
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "set-cookie": cookie });
    const main = query === null ? form : renderProducts(query);
    return response.end(`<!doctype html><title>Tea shop</title><nav><a href="/">Home</a></nav><main>${main}</main>`);
  });
}

const form = `<h1>Tea</h1><form><input type="search" name="q" aria-label="Search"><button>Search</button></form>`;

/** What the shop has found, and what it declares of it. */
function renderProducts(query: string): string {
  const name = query.charAt(0).toUpperCase() + query.slice(1);
  const price = query.startsWith("green") ? 4.5 : 3.9;
  const declared = {
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    sku: "T-7",
    offers: { "@type": "Offer", price, priceCurrency: "EUR" },
  };
  return `<h1>${name}</h1><p>Picked in spring, dried in the shade.</p>
<table><tr><th>Tea</th><th>Price</th></tr><tr><td>${name}</td><td>${price}</td></tr></table>
<script type="application/ld+json">${JSON.stringify(declared)}</script>`;
}
