/* oxlint-disable unicorn/consistent-function-scoping -- what only one page needs stands beside it */
import { each, shape, type PageShape } from "./shape.ts";

const chairs = [
  { name: "Oak chair", price: "€49.00", stars: "4.5 out of 5" },
  { name: "Elm stool", price: "€19.50", stars: "3.9 out of 5" },
  { name: "Ash bench", price: "€120.00", stars: "4.9 out of 5" },
  { name: "Fir table", price: "€75.25", stars: "4.1 out of 5" },
] as const;
const moreChairs = [
  { name: "Yew shelf", price: "€5.00", stars: "2.0 out of 5" },
  { name: "Ash bench", price: "€110.00", stars: "4.8 out of 5" },
  { name: "Elm stool", price: "€21.50", stars: "4.0 out of 5" },
  { name: "Oak chair", price: "€50.00", stars: "4.4 out of 5" },
  { name: "Fir table", price: "€70.00", stars: "4.2 out of 5" },
] as const;
type Chair = (typeof chairs)[number] | (typeof moreChairs)[number];
const names = (rows: readonly Chair[]): unknown => rows.map(({ name }) => name);
const prices = (rows: readonly Chair[]): unknown => rows.map(({ price }) => price);
const both = (rows: readonly Chair[]): unknown => rows.map(({ name, price }) => ({ name, price }));
const amount = ({ price }: Chair): number => Number(price.slice(1));
const cheapest = (rows: readonly Chair[]): readonly Chair[] =>
  [...rows].sort((one, other) => amount(one) - amount(other));

const card = ({ name, price, stars }: Chair, index: number): string =>
  `<div class="product-card${index === 1 ? " on-sale" : ""}"><a href="/p/${name}"><img src="data:," alt="${name}"></a><h3 class=product-card__title><a href="/p/${name}">${name}</a></h3>
  <div class=product-card__price>${index === 1 ? "<s>€99.00</s> " : ""}<span>${price}</span></div><span class=rating aria-label="${stars}">★★★★</span><button>Add to cart</button></div>`;

export const shopShapes: readonly PageShape[] = [
  shape<Chair>(
    "cards of a shop, with an ad, a hidden card and a price struck out",
    [chairs, moreChairs],
    (
      rows,
    ) => `<header><a href=/>Shop</a> <nav><ul><li><a href=/c>Chairs</a><li><a href=/t>Tables</a></ul></nav> <span class=cart-total>€0.00</span></header>
      <main><h1>Furniture</h1><p>${rows.length} products</p><div class=grid>${each(rows, card)}
      <div class="product-card sponsored"><span>Sponsored</span><h3 class=product-card__title><a href=/ad>Steel desk</a></h3><div class=product-card__price>€9.00</div></div>
      <div class=product-card hidden><h3 class=product-card__title>Old lamp</h3><div class=product-card__price>€1.00</div></div></div></main><footer>Free delivery from €100</footer>`,
    [
      ["get the prices", prices, /sponsored/i],
      ["list all product names", names, /sponsored/i],
      ["get the name and price of each product", both, /sponsored/i],
      ["get the names and prices of the products", both, /sponsored/i],
      ["list the products with their prices", both, /sponsored/i],
      ["how many products are there?", (rows) => rows.length, /sponsored/i],
      ["get the first two product names", (rows) => rows.slice(0, 2).map(({ name }) => name), /sponsored/i],
      ["get at most 3 prices", (rows) => rows.slice(0, 3).map(({ price }) => price), /sponsored/i],
      [
        "get the name and price of the cheapest three products",
        (rows) => both(cheapest(rows).slice(0, 3)),
        /sponsored/i,
      ],
      ["get the ratings of all products", (rows) => rows.map(({ stars }) => stars), /sponsored/i],
      ["get the weights of the products", /weight/],
      ["get the prices below 50", /does not understand/],
      ["get the prices of the shoes", /shoe/],
      ["get the red product names", /red/],
    ],
  ),
  shape<Chair>(
    "items of a list with labels in their text",
    [chairs, moreChairs],
    (rows) =>
      `<h1>Offers</h1><ul>${each(
        rows,
        ({ name, price, stars }, index) =>
          `<li><b>${name}</b><br>Price: ${price}<br>Rating: ${stars}${index === 0 ? "<br>Delivery cost: €4.00" : ""}</li>`,
      )}</ul>`,
    [
      ["get the prices", prices],
      ["get the names and prices", both],
      ["list the ratings", (rows) => rows.map(({ stars }) => stars)],
      ["how many offers are there", (rows) => rows.length],
      ["get the last two prices", (rows) => rows.slice(-2).map(({ price }) => price)],
      ["get the delivery costs", /delivery cost/],
    ],
  ),
  shape<Chair>(
    "lists of definitions, one for each thing",
    [chairs, moreChairs],
    (rows) =>
      `<h1>Furniture</h1>${each(rows, ({ name, price, stars }) => `<dl><dt>Name<dd>${name}<dt>Price<dd>${price}<dt>Rating<dd>${stars}</dl>`)}`,
    [
      ["get the names", names],
      ["get the name and price of each item", both],
      ["get all prices", prices],
      ["how many prices are there", (rows) => rows.length],
    ],
  ),
  shape<Chair>(
    "things that JSON-LD declares, and the page draws as pictures",
    [chairs, moreChairs],
    (rows) =>
      `<h1>Furniture</h1><canvas width=300 height=100></canvas><script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", "@type": "ItemList", itemListElement: rows.map(({ name, price }, index) => ({ "@type": "ListItem", position: index + 1, item: { "@type": "Product", name, offers: { "@type": "Offer", price: price.slice(1), priceCurrency: "EUR" } } })) })}</script>`,
    [
      ["get the product names", names],
      ["get the prices of the products", (rows) => rows.map(({ price }) => price.slice(1))],
      [
        "get the name and price of each product",
        (rows) => rows.map(({ name, price }) => ({ name, price: price.slice(1) })),
      ],
      ["how many products are there", (rows) => rows.length],
      ["get the colours of the products", /colour/],
    ],
  ),
  shape<Chair>(
    "microdata in parts without classes",
    [chairs, moreChairs],
    (rows) =>
      `<h1>Furniture</h1><div>${each(rows, ({ name, price }, index) => `<div itemscope itemtype="https://schema.org/Product"><p><span itemprop=name>${name}</span></p><p itemprop=offers itemscope itemtype="https://schema.org/Offer"><span itemprop=price content="${price.slice(1)}">${price}</span> <i>was €${200 + index}.00</i></p></div>`)}</div>`,
    [
      ["get the prices", prices],
      ["get the name and price of each product", both],
      ["list the names of all products", names],
      ["get the two cheapest products", (rows) => both(cheapest(rows).slice(0, 2))],
    ],
  ),
  shape<Chair>(
    "cards in rows, beside what others bought",
    [chairs, moreChairs],
    (rows) => {
      const cell = ({ name, price }: Chair): string =>
        `<div class=col><div class=item><a class=name href=/x>${name}</a><span class=price>${price}</span></div></div>`;
      const pairs = Array.from({ length: Math.ceil(rows.length / 2) }, (_, at) => rows.slice(2 * at, 2 * at + 2));
      return `<div class=catalog><h2>Catalogue</h2>${each(pairs, (pair) => `<div class=row>${each(pair, cell)}</div>`)}</div>
        <section class=recommended><h2>Others bought</h2>${each(["Lamp", "Rug", "Vase"], (name) => `<div class=tile><a href=/y>${name}</a> <span class=price>€3.00</span></div>`)}</section>`;
    },
    [
      ["get the prices", /Catalogue.*Others bought/s],
      ["get the prices under Catalogue", prices],
      ['get the names and prices under "Catalogue"', both],
      ["get the prices under Others bought", () => ["€3.00", "€3.00", "€3.00"]],
      ["get the prices under Sale", /Sale.*Catalogue/s],
      ["get the prices in the sidebar", /sidebar/],
    ],
  ),
  shape<Chair>(
    "prices that are not all one price",
    [chairs, moreChairs],
    (rows) =>
      `<h1>Furniture</h1><ul class=products>${each(rows, ({ name, price }, index) => `<li class=product><h2>${name}</h2>${index === 0 ? `<p class=price>Sold out</p>` : index === 1 ? "<p>Not for sale</p>" : `<p class=price>${price}</p>`}</li>`)}</ul>`,
    [
      [
        "get the name and price of each product",
        (rows) =>
          rows.map(({ name, price }, index) => ({
            name,
            price: index === 0 ? "Sold out" : index === 1 ? null : price,
          })),
        /1 of \d .*price/,
      ],
      ["get the three cheapest products", /Sold out|no price/],
      [
        "get the prices",
        (rows) => rows.flatMap(({ price }, index) => (index === 0 ? "Sold out" : index === 1 ? [] : price)),
        /1 of \d .*price/,
      ],
    ],
  ),
  shape<Chair>(
    "cards with several prices each",
    [chairs, moreChairs],
    (rows) =>
      `<ul>${each(rows, ({ name, price }) => `<li class=card><h3>${name}</h3><ul class=sizes><li>Small <span class=price>${price}</span><li>Large <span class=price>€900.00</span></ul></li>`)}</ul>`,
    [
      ["get the price of each product", /several prices|ambiguous: 4/],
      ["get the names", names],
      ["get the three cheapest products", /price|ambiguous/],
    ],
  ),
];
