import { listen, type LocalServer } from "./listen.ts";

/** A shop on loopback: a search form, a product that declares what it is, and a basket that a cookie holds. */
export async function startShop(): Promise<LocalServer> {
  return listen((request, response) => {
    const url = new URL(request.url ?? "/", "http://shop");
    if (url.pathname === "/basket") {
      return response.end(`basket ${/basket=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? "lost"}`);
    }
    const cookie = "basket=b17; HttpOnly; Path=/";
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "set-cookie": cookie });
    const main = url.searchParams.has("q") ? product : form;
    return response.end(`<!doctype html><title>Tea shop</title><nav><a href="/">Home</a></nav><main>${main}</main>`);
  });
}

const form = `<h1>Tea</h1><form><input type="search" name="q" aria-label="Search"><button>Search</button></form>`;

const declared = {
  "@context": "https://schema.org",
  "@type": "Product",
  name: "Green tea",
  sku: "T-7",
  offers: { "@type": "Offer", price: 4.5, priceCurrency: "EUR" },
};

const product = `<h1>Green tea</h1><p>Picked in spring, dried in the shade.</p>
<script type="application/ld+json">${JSON.stringify(declared)}</script>`;
