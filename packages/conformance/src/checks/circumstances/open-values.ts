/** Fields of a page scrape, and values of them whose acceptance the interface leaves open. */

/** One value, and the row of the second list of `requirements.yaml` that its answer is recorded for. */
export type OpenValue = readonly [row: string, field: string, word: string, value: unknown];

/** Values of another type, which a lenient server converts, and a strict one does not: a number for each field, a list of one for each boolean, and others in turns. */
export const convertibleValues: readonly OpenValue[] = [
  ["open.scrape.boolean-coercion", "scrape_links", "number", 7],
  ["open.scrape.boolean-coercion", "scrape_links", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "scrape_images", "number", 7],
  ["open.scrape.boolean-coercion", "scrape_images", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "scrape_images", "word-true", "TRUE"],
  ["open.scrape.boolean-coercion", "only_main_content", "number", 7],
  ["open.scrape.boolean-coercion", "only_main_content", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "only_main_content", "small-word-true", "true"],
  ["open.scrape.boolean-coercion", "only_images", "number", 7],
  ["open.scrape.boolean-coercion", "only_images", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "only_images", "small-word-true", "true"],
  ["open.scrape.boolean-coercion", "use_link_placeholders", "number", 7],
  ["open.scrape.boolean-coercion", "use_link_placeholders", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "use_link_placeholders", "one", 1],
  ["open.scrape.string-coercion", "selector", "number", 7],
  ["open.scrape.string-coercion", "selector", "fraction", 0.5],
  ["open.scrape.string-coercion", "instructions", "number", 7],
  ["open.scrape.string-coercion", "instructions", "boolean", true],
  ["open.scrape.array-coercion", "ignored_tags", "word", "nav"],
  ["open.scrape.array-coercion", "ignored_tags", "fraction", 0.5],
  ["open.scrape.array-coercion", "ignored_tags", "number-inside", [7]],
];

/** Values whose acceptance is left open for other reasons than their type. */
export const oddValues: readonly OpenValue[] = [
  ["open.scrape.selector-without-match", "selector", "empty", ""],
  ["open.scrape.selector-without-match", "selector", "no-match", "#conformance-no-such-element"],
  ["open.scrape.selector-without-match", "selector", "no-selector", "body >> ]["],
  ["open.scrape.selector-without-match", "selector", "xpath", "xpath=//body"],
  ["open.scrape.response_format-not-a-schema", "response_format", "number", 7],
  ["open.scrape.response_format-not-a-schema", "response_format", "string", "a title"],
  ["open.scrape.response_format-not-a-schema", "response_format", "false", false],
  ["open.scrape.response_format-not-a-schema", "response_format", "array", []],
  ["open.scrape.response_format-not-a-schema", "response_format", "empty-object", {}],
];
