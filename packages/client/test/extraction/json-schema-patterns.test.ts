import { expect, test } from "vitest";
import { listDifferingTexts, patterns } from "./pattern-texts.ts";
import { scrapePage } from "./scraping.ts";

/** Patterns with which the matcher of the language takes longer than anybody waits, and texts that bring it about. */
const catastrophic: { pattern: string; text: string; fits: boolean }[] = [
  { pattern: "^(a+)+$", text: `${"a".repeat(40)}!`, fits: false },
  { pattern: "^(a|a)*$", text: `${"a".repeat(40)}!`, fits: false },
  { pattern: "^(\\w+\\s?)*$", text: `${"word ".repeat(20)}!`, fits: false },
  { pattern: "(.*a){20}$", text: "a".repeat(60), fits: true },
  { pattern: "\\s+$", text: `${" ".repeat(4e5)}!`, fits: false },
  { pattern: "^([a-z0-9]+[-.]?)+@x$", text: "a".repeat(60), fits: false },
];
const places: { place: string; schemaOf: (pattern: string) => object; dataOf: (text: string) => unknown }[] = [
  { place: "pattern", schemaOf: (pattern) => ({ pattern }), dataOf: (text) => text },
  {
    place: "patternProperties",
    schemaOf: (pattern) => ({ patternProperties: { [pattern]: true }, additionalProperties: false }),
    dataOf: (text) => ({ [text]: 1 }),
  },
  {
    place: "propertyNames below a reference",
    schemaOf: (pattern) => ({ $ref: "#/$defs/a", $defs: { a: { propertyNames: { pattern } } } }),
    dataOf: (text) => ({ [text]: 1 }),
  },
];
const rows = places.flatMap((place) => catastrophic.map((one) => Object.assign({}, place, one)));
test.for(rows)("$place $pattern is matched in linear time", async ({ schemaOf, dataOf, pattern, text, fits }) => {
  const { extraction } = await scrapePage(
    { response_format: schemaOf(pattern) },
    { structured: { data: dataOf(text) } },
  );
  expect(extraction).toMatchObject(fits ? { success: true } : { success: false, reason: "mismatch" });
});

test("texts that are too long for the slowest patterns are a mismatch that says so, as many as they are", async () => {
  const schema = { items: { pattern: "[ab]*a[ab]{500}[cd]" } };
  const { extraction } = await scrapePage({ response_format: schema }, { structured: { data: Array(40).fill("ab".repeat(1e4)) } }); // prettier-ignore
  const message: unknown = expect.stringContaining("too long");
  expect(extraction).toMatchObject({ success: false, reason: "mismatch", issues: [{ message }] });
});

test.for(["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "a{1001}", "(?:a{40}){40}"])(
  "%s takes more than linear time or room, and is misuse that says what to do",
  async (pattern) => {
    for (const { schemaOf } of places) {
      await expect(scrapePage({ response_format: schemaOf(pattern) }, {})).rejects.toMatchObject({
        code: "misuse",
        message: expect.stringContaining("pass [jsonSchema, check]"),
      });
    }
  },
);

test.for(patterns)("%s means what the flag u of the language says, to each seventh text", (pattern) => {
  expect(listDifferingTexts(pattern, 7)).toEqual([]);
});
