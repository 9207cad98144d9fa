import { describe, expect, test } from "vitest";
import { readScrapeRequest, parseBooleanQuery } from "../../src/http/scrape-request.ts";

/** The faults of a body, each as `loc type`. */
function faults(body: unknown): string[] {
  const read = readScrapeRequest(body);
  return "faults" in read ? read.faults.map(({ loc, type }) => `${loc.join("/")} ${type}`) : [];
}

describe("a scrape request", () => {
  const fine: readonly [string, unknown][] = [
    ["without anything", {}],
    [
      "with every field",
      {
        selector: "main",
        scrape_links: false,
        scrape_images: true,
        ignored_tags: ["nav"],
        only_main_content: true,
        only_images: false,
        response_format: { type: "object" },
        instructions: "prices",
        use_link_placeholders: true,
      },
    ],
    ["with null where null may be", { selector: null, ignored_tags: null, response_format: null, instructions: null }],
    ["with a `response_format` that is no schema, for any JSON value may be there", { response_format: 5 }],
  ];
  test.each(fine)("%s is taken", (_, body) => expect(faults(body)).toEqual([]));

  const wrong: readonly [string, unknown, readonly string[]][] = [
    ["no object", [], ["body object_type"]],
    ["null", null, ["body object_type"]],
    ["a number for a selector", { selector: 5 }, ["body/selector string_type"]],
    ["null for a boolean", { only_images: null }, ["body/only_images boolean_type"]],
    ["a text for a boolean", { scrape_links: "true" }, ["body/scrape_links boolean_type"]],
    ["a number among the tags", { ignored_tags: ["nav", 7] }, ["body/ignored_tags/1 string_type"]],
    ["an unknown property", { only_image: true }, ["body/only_image extra_forbidden"]],
    [
      "a property that objects inherit",
      JSON.parse('{"__proto__": {"selector": "a"}}'),
      ["body/__proto__ extra_forbidden"],
    ],
    [
      "several faults",
      { selector: 1, wrong: 2, ignored_tags: "nav" },
      ["body/wrong extra_forbidden", "body/selector string_type", "body/ignored_tags array_type"],
    ],
  ];
  test.each(wrong)("%s is reported with its location", (_, body, expected) =>
    expect(faults(body).sort()).toEqual([...expected].sort()),
  );

  test("a long wrong value is not sent back", () => {
    const read = readScrapeRequest({ selector: ["x".repeat(5_000)] });
    expect("faults" in read && read.faults[0]).not.toHaveProperty("input");
  });
});

describe("update_metadata", () => {
  const cases: readonly [string | undefined, unknown][] = [
    [undefined, { value: true }],
    ["true", { value: true }],
    ["False", { value: false }],
    ["0", { value: false }],
    ["neither", { fault: expect.objectContaining({ loc: ["query", "update_metadata"] }) }],
    ["", { fault: expect.objectContaining({ type: "bool_parsing" }) }],
  ];
  test.each(cases)("%j", (text, expected) =>
    expect(parseBooleanQuery(text, "update_metadata", true)).toEqual(expected),
  );
});
