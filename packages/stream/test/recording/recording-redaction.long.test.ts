import { array, assert, constant, constantFrom, dictionary, letrec, nat, oneof, property } from "fast-check";
import { expect, test } from "vitest";
import { redact } from "../../src/recording/redaction.ts";
import { getBytes } from "../chunking.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";
import { seed } from "@cloud-browser/testing/seed.ts";

function redactText(text: string, secrets: readonly string[] = []): string {
  const bytes = getBytes(text);
  redact(bytes, secrets);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

const getSkeleton = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\d/g, "0");

const getAscii = (text: string): string =>
  text.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

test("leaves JSON whole and UTF-8 valid, whatever stands in the strings and whatever is secret", () => {
  const words = constantFrom(
    "viewer_url",
    "https://",
    "?",
    "@",
    "#",
    "Bearer ",
    "\\",
    '"',
    "\n",
    "\u0000",
    "é",
    "à",
    "😀",
    "n",
    "u00e9",
    "00",
    "é9",
    "/",
    "'",
    "<",
    " ",
  );
  const string = array(words, { maxLength: 12 }).map((parts) => parts.join(""));
  const value = letrec<{ node: unknown }>((tie) => ({
    node: oneof(
      { maxDepth: 3 },
      string,
      nat(),
      array(tie("node"), { maxLength: 3 }),
      dictionary(oneof(string, constant("viewer_url")), tie("node"), { maxKeys: 3 }),
      tie("node").map((node) => JSON.stringify(node)),
    ),
  })).node;
  const forms = constantFrom<(text: string) => string>(
    (text) => text,
    getAscii,
    (text) => text.replaceAll("/", "\\/"),
  );
  assert(
    property(value, array(string, { maxLength: 3 }), forms, (sample, secrets, form) => {
      const text = form(JSON.stringify(sample));
      const output = redactText(`${text}\n`, secrets);
      expect(getBytes(output)).toHaveLength(getBytes(text).length + 1);
      expect(getSkeleton(output)).toBe(getSkeleton(`${text}\n`));
      expect(() => JSON.parse(output)).not.toThrow();
    }),
    { seed, numRuns: 20_000 },
  );
});

// A quadratic way would take hours for this, too.
const mebibytes = 2;
const fill = (unit: string): string => unit.repeat(Math.ceil((mebibytes * 2 ** 20) / unit.length));
const hostile = [
  { name: "a viewer_url without an end", text: `{"viewer_url":"${fill("a")}` },
  { name: "a viewer_url of escapes", text: `{"viewer_url":"${fill("\\/")}"` },
  { name: "a viewer_url of escaped quotes", text: `{"viewer_url":"${fill('\\"')}` },
  { name: "spaces before the colon", text: `"viewer_url"${fill(" ")}` },
  { name: "many viewer_url", text: fill('"viewer_url":') },
  { name: "many values of viewer_url", text: fill('{"viewer_url":"https://a?b"}\n') },
  { name: "backslashes", text: fill("\\") },
  { name: "viewer_url and backslashes", text: `viewer_url${fill("\\")}` },
  { name: "beginnings of addresses", text: fill("https://") },
  { name: "colons and backslashes", text: fill(":\\") },
  { name: "addresses in addresses", text: fill("https://a?") },
  { name: "a query of escapes", text: `https://a?${fill("\\/")}` },
  { name: "escaped backslashes in a query", text: `https://a?${fill("\\")}` },
  { name: "addresses with userinfo", text: fill("://a@") },
  { name: "one very long authority", text: `https://${fill("a:")}` },
  { name: "bearers", text: fill("bearer ") },
  { name: "bearers in one word", text: fill("bearer%20") },
  { name: "spaces after bearer", text: `bearer${fill(" ")}` },
  { name: "the secret, again and again", text: fill("K3y") },
  { name: "backslashes, then the secret", text: `${fill("\\")}K3y` },
  { name: "backslashes between secrets", text: fill("\\\\\\K3y") },
];
test.for(hostile)("takes linear time for $name", ({ text }) => {
  const bytes = getBytes(text);
  expect(measureProcessorTime(() => redact(bytes, ["K3y"]))).toBeLessThan(5000);
});

const megabytesOfEscapes = [
  { name: "of one letter", unit: "line of text\\n and more \\t " },
  { name: "of four digits", unit: "\\u00e4\\ud83d\\ude00 and \\u0020" },
  { name: "within escapes", unit: "a\\\\\\n b\\\\u0020 " },
  { name: "beside percent-encoding", unit: "%2541 \\/ %41" },
  { name: "with addresses among them", unit: "\\n https:\\/\\/a.example\\/b?c=%2f " },
  { name: "with secrets among them", unit: "\\n \\u004b3y K3y " },
];
test.for(megabytesOfEscapes)("takes as long for one large as for 16 small ones: escapes $name", ({ unit }) => {
  const getText = (bytes: number): Uint8Array => getBytes(`data: {"delta":"${unit.repeat(bytes / unit.length)}"}\n\n`);
  const [small, large] = [getText(2 ** 16), getText(2 ** 20)];
  const redactSixteen = (): void => {
    for (let time = 0; time < 16; time++) redact(small.slice(), ["K3y"]);
  };
  redactSixteen(); // warms up
  // 1 when linear, 16 when quadratic. Other work on the machine can only make it slower: the best of three counts.
  let best = Infinity;
  for (let run = 0; run < 3 && best > 4; run++) {
    best = Math.min(
      best,
      measureProcessorTime(() => redact(large.slice(), ["K3y"])) / measureProcessorTime(redactSixteen),
    );
  }
  expect(best).toBeLessThan(4);
});

test("redacts 64 MiB of escapes without running out of stack", () => {
  const bytes = new Uint8Array(2 ** 26).fill(92);
  bytes.set(getBytes('https://a?b"viewer_url":"'));
  redact(bytes, []);
  expect(bytes[2 ** 26 - 2]).toBe(120);
});
