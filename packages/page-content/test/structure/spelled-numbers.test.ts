import { describe, expect, test } from "vitest";
import { extractStructured } from "../../src/structure/extract-structured.ts";
import { declaredBy } from "./page.ts";

/** Structured data of a page whose only thing has one property, written as it stands. */
async function readValue(property: string, written: string, schema: object): Promise<unknown> {
  const thing = `{"@context":"https://schema.org","@type":"Product","name":"Tea","${property}":${written}}`;
  const page = `<h1>Tea</h1><script type="application/ld+json">${thing}</script>`;
  const format = { type: "object", properties: { name: { type: "string" }, [property]: schema } };
  const { data } = await extractStructured({ declared: declaredBy(page), markdown: "", responseFormat: format });
  return typeof data === "object" && data !== null && property in data ? Reflect.get(data, property) : undefined;
}

describe("a number in JSON that is asked for as text is as the page spells it", () => {
  test.each([
    ["serialNumber", "7205759403792793601"],
    ["sku", "9007199254740993"],
    ["version", "1.10"],
    ["price", "12.50"],
    ["model", "1e3"],
    ["sku", "-0"],
    ["weight", "0.30000000000000000001"],
    ["sku", "1E400"],
    ["gtin14", "10614141000415"],
    ["price", "3"],
  ])("%s %s", async (property, written) => {
    expect(await readValue(property, written, { type: "string" })).toBe(written);
  });
});

describe("a number that is asked for as a number is the same, or left out", () => {
  test.each<[string, string, number | undefined]>([
    ["price", "12.50", 12.5],
    ["price", "1e3", 1000],
    ["serialNumber", "7205759403792793601", undefined],
    ["sku", "9007199254740993", undefined],
    ["sku", "9007199254740992", 9007199254740992],
    ["sku", "1E400", undefined],
    ["sku", '"7205759403792793601"', undefined],
    ["price", '"1.50"', 1.5],
  ])("%s %s", async (property, written, number) => {
    expect(await readValue(property, written, { type: "number" })).toBe(number);
  });
});

test("where the form is open, a number is one unless it would be another one", async () => {
  expect(await readValue("price", "12.50", {})).toBe(12.5);
  expect(await readValue("serialNumber", "7205759403792793601", {})).toBe("7205759403792793601");
});
