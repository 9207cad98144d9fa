import { markers } from "./markers.ts";
import { writeDocument, type PageSource } from "./page-source.ts";

const { product, start } = markers;

/** Facts that the page states about its product. */
export const productFacts = { name: `Lamp ${product["name of the product"]}`, price: 129.5, currency: "EUR" } as const;

/** Returns a page about a product, with its data for people and as JSON-LD. */
export function productPage({ script }: PageSource): string {
  const { name, price, currency } = productFacts;
  const data = {
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    offers: { "@type": "Offer", price, priceCurrency: currency, availability: "https://schema.org/InStock" },
  };
  return writeDocument({
    title: "A lamp",
    head: `<script type="application/ld+json">${JSON.stringify(data)}</script>`,
    script,
    body: `
<main>
  <h1>${name}</h1>
  <p>A lamp for ships and for verandas, made by hand in the workshop of ${product["description of the product"]}, of brass and of glass.</p>
  <p>Price: <strong>${price.toFixed(2)} ${currency}</strong>. In stock.</p>
</main>`,
  });
}

/** Returns a page whose script navigates to the product page. */
export function startPage(): string {
  return writeDocument({
    title: "One moment",
    body: `<p>One moment: the ${start["page that was left"]} leads on.</p>`,
    script: 'location.replace("product")',
  });
}
