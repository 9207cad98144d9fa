// oxlint-disable typescript/no-misused-spread -- of code points texts are made here
import { expect, test } from "vitest";
import { re2From } from "../../src/extraction/re2-syntax.ts";
import { linearPatterns } from "../../src/extraction/linear-pattern.ts";
import { scraping } from "./scraping.ts";

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
  const { extraction } = await scraping({ response_format: schemaOf(pattern) }, { structured: { data: dataOf(text) } });
  expect(extraction).toMatchObject(fits ? { success: true } : { success: false, reason: "mismatch" });
});

test("texts that are too long for the slowest patterns are a mismatch that says so, as many as they are", async () => {
  const schema = { items: { pattern: "[ab]*a[ab]{500}[cd]" } };
  const { extraction } = await scraping({ response_format: schema }, { structured: { data: Array(40).fill("ab".repeat(1e4)) } }); // prettier-ignore
  const message: unknown = expect.stringContaining("too long");
  expect(extraction).toMatchObject({ success: false, reason: "mismatch", issues: [{ message }] });
});

test.for(["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "a{1001}", "(?:a{40}){40}"])(
  "%s takes more than linear time or room, and is misuse that says what to do",
  async (pattern) => {
    for (const { schemaOf } of places) {
      await expect(scraping({ response_format: schemaOf(pattern) }, {})).rejects.toMatchObject({
        code: "misuse",
        message: expect.stringContaining("pass [jsonSchema, check]"),
      });
    }
  },
);

/** Each character that some part of the language treats in a way of its own, and some that it does not. */
const characters = [
  ...Array.from({ length: 0x250 }, (_, at) => String.fromCodePoint(at)),
  ..."\u0300\u0391\u03A9\u0430\u05D0\u0660\u0966\u1680\u180E\u2000\u2003\u200A\u200B\u200D\u2028\u2029\u202F\u203F\u205F\u2060\u212A\u3000\u3042\u4E00\uAC00\uFB01\uFEFF\uFFFD",
  ..."😀👍🏽𝒜𝟘\u{10000}\u{10FFFF}",
  "\uD800",
  "\uDC00",
  "\uD83D",
];
const texts = [
  ...characters,
  ...characters.slice(0, 0x80).flatMap((each) => [`a${each}`, `${each}a`, `a${each}b`, `${each}${each}`]),
  ..."|aa|ab|ba|aab|abab|foo bar|a-c|2024-02-29|x@y.z|line\nline|\r\n|a😀b|😀😀|e\u0301|#1|[]|(?:)|^$|{2}|\\d".split(
    "|",
  ),
];
const patterns: string[] = [
  ..."\\d|\\D|\\w|\\W|\\s|\\S|.|^.$|^..$|^$|^a|a$|\\ba|\\Ba|a\\b|^\\s*$|^\\S+$|^[\\s\\d]$|^[^\\s]$|^[^\\S]$|^[\\w-]+$|^[^\\w]$".split(
    "|",
  ),
  ..."[] [^] ^[^]$ ^[^]{2}$ [a-c] [^a-c] [-a] [a-] [a-c-e] [\\b] [(?:)] [(?=)] [.] [$^] [[] [|] [{}] [&&] [a\\-c]".split(
    " ",
  ),
  ..."^a{2}$ ^a{1,}$ ^(?:ab){1,2}$ ^(?<n>a)b?$ ^(a(b))? a|b a*?b a+? a??b (a|ab)(c|bcd)?$".split(" "),
  "^(a|b)*$",
  "a|b|",
  "^\\u0061$",
  "^\\u{1F600}$",
  "^\\uD83D\\uDE00$",
  "^[\\uD83D\\uDE00]$",
  "^[\\u{1F600}-\\u{1F64F}]+$",
  "^\\uD83D$",
  "\\uD83D",
  "^😀$",
  "[😀]",
  "[^😀]",
  "\\x41|\\cJ|\\t|\\n|\\v|\\f|\\r|\\0",
  "[\\x41-\\x43\\cM\\0]",
  "\\/|\\.|\\*|\\+|\\?|\\(|\\)|\\[|\\]|\\{|\\}|\\||\\^|\\$|\\\\",
  "^[\\]\\\\/]$",
  "\\p{L}",
  "^\\P{L}$",
  "[^\\p{L}\\d]",
  "\\p{Lu}",
  "\\p{General_Category=Decimal_Number}",
  "\\p{Script=Greek}",
  "\\p{scx=Cyrl}",
  "\\p{Emoji_Presentation}",
  "\\p{White_Space}",
  "\\p{Cs}",
  "\\p{Any}",
  "\\P{Any}",
  "[\\P{Any}]",
  "[^\\P{Any}a]",
  "\\p{ASCII}",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^[^@\\s]+@[^@\\s]+\\.[a-z]+$",
];
test.for(patterns)("%s means what the flag u of the language says", (pattern) => {
  const own = new RegExp(pattern, "u");
  const linear = linearPatterns([pattern])()(pattern);
  const differing = texts.filter((text) => own.test(text) !== linear.test(text));
  expect({ differing, as: re2From(pattern).length > 0 }).toEqual({ differing: [], as: true });
});
