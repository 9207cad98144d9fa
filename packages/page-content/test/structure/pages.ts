import { jsonLd } from "./page.ts";

/** A text. */
export const text = { type: "string" };
/** A number. */
export const number = { type: "number" };
/** An address. */
export const uri = { type: "string", format: "uri" };
/** An object; all properties are required unless told. */
export const object = (properties: object, required = Object.keys(properties)): object => ({
  type: "object",
  properties,
  required,
});
/** A list. */
export const getList = (items: object): object => ({ type: "array", items });

/** A product. */
export const product = jsonLd({
  "@context": "https://schema.org",
  "@type": "Product",
  name: "Lamp Aldis",
  image: ["/a.png", "/b.png"],
  brand: { "@type": "Brand", name: "Moss" },
  sku: "L-1",
  aggregateRating: { "@type": "AggregateRating", ratingValue: "4.5", reviewCount: 12 },
  offers: { "@type": "Offer", price: "1,299.50", priceCurrency: "EUR", availability: "https://schema.org/InStock" },
});
/** What nearly every page declares. */
export const furniture = jsonLd([
  { "@type": "WebSite", name: "The Lamp Shop", url: "/" },
  { "@type": "Organization", name: "Lamps Ltd", telephone: "+44 1" },
  {
    "@type": "BreadcrumbList",
    itemListElement: [
      { "@type": "ListItem", position: 1, name: "Home", item: "/" },
      { "@type": "ListItem", position: 2, item: { "@id": "/lamps", name: "Lamps" } },
    ],
  },
]);
/** An article by two. */
export const article = jsonLd({
  "@graph": [
    { "@type": "WebSite", name: "The Times" },
    {
      "@type": "NewsArticle",
      headline: "Lamp found",
      author: [
        { "@type": "Person", name: "Ada" },
        { "@type": "Person", name: "Bo" },
      ],
      datePublished: "2024-05-01T10:00:00+02:00",
      keywords: "lamps, ships",
      articleBody: "It was found.",
    },
  ],
});
/** A recipe. */
export const recipe = jsonLd({
  "@type": "Recipe",
  name: "Bread",
  recipeIngredient: ["Flour", "Salt"],
  recipeInstructions: [
    { "@type": "HowToStep", text: "Mix." },
    { "@type": "HowToStep", text: "Bake." },
  ],
  recipeYield: "2 loaves",
  prepTime: "PT1H",
  nutrition: { "@type": "NutritionInformation", calories: "250 calories" },
});
/** Two tables. */
export const events = `<h2>Upcoming events</h2><table><tr><th>Event name<th>Date<th>Venue<th>Tickets</tr>
  <tr><td><a href="/e/1">Launch</a><td>May 1, 2024<td>Rome<td>$12.50</tr><tr><td><a href="/e/2">Finale</a><td>2 June 2024<td>Oslo<td>1 200 USD</tr></table>
  <h2>Staff</h2><table><tr><th>Name<th>Role</tr><tr><td>Ada<td>Head</tr></table>`;
/** A definition list. */
export const specs =
  "<h2>Technical data</h2><dl><dt>Weight<dd>12 kg<dt>Material<dd>Brass<dt>Dimmable<dd>Yes<dt>Bulbs<dd>3</dl><p>Article number: 7</p>";
/** A product as microdata. */
export const microdata =
  '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Lamp</b><div itemprop="offers" itemscope><meta itemprop="price" content="5"></div></div>';
/** A product as Open Graph. */
export const openGraph =
  '<meta property="og:type" content="product"><meta property="og:title" content="Lamp"><meta property="og:image" content="/o.png"><meta property="product:price:amount" content="5.00"><meta property="product:price:currency" content="GBP">';
/** A list of products. */
export const listing = jsonLd({
  "@type": "ItemList",
  name: "Bestsellers",
  itemListElement: [1, 2].map((at) => ({
    "@type": "ListItem",
    position: at,
    item: { "@type": "Product", name: `Lamp ${at}`, offers: { price: at } },
  })),
});
/** Two products alike. */
export const two = jsonLd([
  { "@type": "Product", name: "Lamp 1", offers: { price: 1 } },
  { "@type": "Product", name: "Lamp 2", offers: { price: 2 } },
]);
