/* oxlint-disable unicorn/consistent-function-scoping -- what only one page needs stands beside it */
import { each, shape, type PageShape } from "./shape.ts";

const lamps = [
  { name: "Moon", price: "€40" },
  { name: "Sun", price: "€55" },
  { name: "Star", price: "€12" },
];
const moreLamps = [
  { name: "Star", price: "€14" },
  { name: "Dawn", price: "€33" },
];
type Lamp = (typeof lamps)[number];
const prices = (rows: readonly Lamp[]): unknown => rows.map(({ price }) => price);
const item = ({ name, price }: Lamp): string => `<li><a href=/l>${name}</a> <span class=price>${price}</span></li>`;

/** Pages on which a hasty reader takes a part, or something else. */
export const trapShapes: readonly PageShape[] = [
  shape<Lamp>(
    "a thing with its own price, and others below",
    [lamps, moreLamps],
    (rows) =>
      `<main><h1>Desk lamp</h1><p class=price>€99</p><h2>You may also like</h2><ul>${each(rows, item)}</ul></main>`,
    [
      ["get the prices", /€99.*You may also like/s],
      ["get the prices under You may also like", prices],
      ["get the name and price of each lamp under You may also like", (rows) => rows],
      ["get the authors under You may also like", /author/],
    ],
  ),
  shape<Lamp>(
    "plans as the columns of a table",
    [lamps, moreLamps],
    (rows) =>
      `<h1>Plans</h1><table><tr><th>${each(rows, ({ name }) => `<th>${name}`)}<tr><th>Price${each(rows, ({ price }) => `<td>${price}`)}<tr><th>Users${each(rows, (_, index) => `<td>${index}`)}</table>`,
    [
      ["get the prices", /price/],
      ["how many plans are there", /plan/],
    ],
  ),
  shape<Lamp>(
    "a cart with sums, and tabs that are not shown",
    [lamps, moreLamps],
    (rows) =>
      `<h1>Your cart</h1><ul class=cart>${each(rows, item)}</ul><dl><dt>Subtotal<dd>€200</dd><dt>Shipping<dd>€5</dd></dl><section hidden><h2>Saved for later</h2><ul>${item({ name: "Lava", price: "€1" })}${item({ name: "Neon", price: "€2" })}</ul></section>`,
    [
      ["get the prices", prices],
      ["get the prices in the cart", /no part of the page is called "cart"/],
      ["get the prices under Saved for later", /Saved for later/],
    ],
  ),
  shape<Lamp>(
    "a carousel that repeats its slides, and prices that are ranges",
    [lamps, moreLamps],
    (rows) =>
      `<h2>Lamps</h2><div class=slides style="display:flex">${each(rows, ({ name, price }, index) => `<div class=slide><h3>${name}</h3><p class=price>${index === 0 ? `${price} – €70` : price}</p></div>`)}${each(rows, ({ name, price }) => `<div class=slide aria-hidden=true><h3>${name}</h3><p class=price>${price}</p></div>`)}</div>`,
    [
      [
        "get the prices of all lamps",
        (rows) => rows.map(({ price }, index) => (index === 0 ? `${price} – €70` : price)),
      ],
      ["get the cheapest lamp", /price/],
      ["how many lamps are there", (rows) => rows.length],
    ],
  ),
  shape<Lamp>(
    "numbers that contradict each other",
    [lamps, moreLamps],
    (rows) => `<h1>Lamps</h1><p>Showing 1–${rows.length} of 40 lamps</p><ul>${each(rows, item)}</ul><p>41 lamps</p>`,
    [["how many lamps are there", /different numbers/]],
  ),
  ...["More than 100 lamps", "100+ lamps", "1.2k lamps", "About 90 lamps", "Lamps (99+)", "3 of over 100 lamps"].map(
    (amount) =>
      shape<Lamp>(
        `a list whose page says that there are ${amount}`,
        [lamps, moreLamps],
        (rows) => `<h1>${amount}</h1><ul>${each(rows, item)}</ul>`,
        [
          ["how many lamps are there", /the page says ".*lamps.*", and shows \d lamps/i],
          ["get the prices of all lamps", prices, /a part.*the page says/],
          ["get the cheapest lamp", /more lamp/],
        ],
      ),
  ),
  shape<Lamp>(
    "a list whose page says of how many it shows some, or names the way to the others",
    [lamps, moreLamps],
    (rows) => `<h1>Lamps</h1><ul>${each(rows, item)}</ul><a href=/all>See all 128 lamps</a>`,
    [
      ["how many lamps are there", /the page says "See all 128 lamps"/],
      ["get the prices of all lamps", prices, /a part.*See all 128/],
    ],
  ),
  shape<Lamp>(
    "a list that is as long as its page says, and a link to others",
    [lamps, moreLamps],
    (rows) =>
      `<h1>${rows.length} lamps</h1><ul>${each(rows, item)}</ul><aside><a href=/all>See all 57 lamps</a></aside>`,
    [["how many lamps are there", (rows) => rows.length]],
  ),
  shape<Lamp>(
    "a list of which a part is shown",
    [lamps, moreLamps],
    (rows) => `<h1>Lamps</h1><p>Showing 1–${rows.length} of 40 lamps</p><ul>${each(rows, item)}</ul>`,
    [
      ["how many lamps are there", () => 40],
      ["get the prices", prices, /a part.*40/],
      ["get the cheapest two lamps", /more lamp/],
      ["get the last lamp price", /more/],
      ["get the prices that end in 5", /does not understand/],
      ["get the prices and click Buy", /Buy/],
    ],
  ),
];
