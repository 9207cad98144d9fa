import { expect, test } from "vitest";
import { finishThings } from "../../src/extraction/things/finish-things.ts";

/** Returns the prices from the cheapest one on. */
function sortPrices(prices: readonly string[], lang?: string): unknown {
  const things = prices.map((price) => ({ id: price, value: price, price }));
  return finishThings(things, { as: "list", order: "cheapest", several: "lamps", isPart: false, lang }).value;
}

test.each([
  ["in a German page", ["1.000 €", "900 €"], "de", ["900 €", "1.000 €"]],
  ["in an English page", ["$1,000", "$900"], "en-US", ["$900", "$1,000"]],
  ["beside decimals with a comma", ["1.000 €", "19,90 €"], undefined, ["19,90 €", "1.000 €"]],
  ["beside decimals with a point", ["€1,000", "€19.90"], "de", ["€19.90", "€1,000"]],
  ["beside a million", ["1.000 €", "900 €", "1.000.000 €"], undefined, ["900 €", "1.000 €", "1.000.000 €"]],
  ["where both ways give the same order", ["1.459 €", "1.399 €"], undefined, ["1.399 €", "1.459 €"]],
  ["where nothing is less than one", ["1.000 €", "0.5 €"], undefined, ["0.5 €", "1.000 €"]],
])("1.000 is compared %s", (_, prices, lang, sorted) => {
  expect(sortPrices(prices, lang)).toEqual(sorted);
});

test.each([
  ["in a page without a language", ["1.000 €", "900 €"], undefined],
  ["in an English page", ["1.000 €", "900 €"], "en"],
  ["in a page whose language tag is invalid", ["1.000 €", "900 €"], "x-?"],
  ["beside both kinds of decimals", ["1.000 €", "19,90 €", "18.90 €"], undefined],
  ["beside decimals with a point", ["1.000 €", "19.90 €"], undefined],
])("1.000 is not compared %s", (_, prices, lang) => {
  expect(() => sortPrices(prices, lang)).toThrow('"1.000 €" may be a thousand or have three decimals');
});
