import { expect, test } from "vitest";
import { jsonWriters } from "@cloud-browser/testing/secret-spellings.ts";
import { redact } from "../../src/recording/redaction.ts";
import { getBytes } from "../chunking.ts";

const writers = Object.entries(jsonWriters).map(([name, write]) => ({ name, write }));
/** What stands around it. */
const around: { name: string; wrap: (text: string) => string }[] = [
  { name: "as it is", wrap: (text) => text },
  { name: "percent-encoded", wrap: (text) => encodeURIComponent(text) },
  { name: "percent-encoded in lower case", wrap: (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()) },
  { name: "percent-encoded twice", wrap: (text) => encodeURIComponent(encodeURIComponent(text)) },
  { name: "in JSON", wrap: (text) => JSON.stringify({ a: text }) },
  { name: "in JSON in JSON", wrap: (text) => JSON.stringify({ a: JSON.stringify([text]) }) },
]; // prettier-ignore
const secrets = ["abc+def", "p&q=r'<s>", "K3y/é+ü=", 'q"u\\o', "😀emoji/key", "two words", "tab\tand\nline", "a%2Bb", "~.-_!*()", "ſecret\u00a0x"]; // prettier-ignore

const rows = writers.flatMap((writer) =>
  around.flatMap((place) => secrets.map((secret) => ({ writer, place, secret }))),
);
test("a secret is gone whoever wrote it, and the JSON stays whole: 480 writings", () => {
  expect(rows).toHaveLength(480);
  for (const { writer, place, secret } of rows) {
    const text = `data: {"type":"x","a":"${writer.write(`before ${place.wrap(secret)} after`)}"}\n\n`;
    const bytes = getBytes(text);
    redact(bytes, [secret]);
    const output = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const { a }: { a: string } = JSON.parse(output.slice(6));
    const where = `${writer.name}, ${place.name}: ${secret}`;
    // Nothing of the middle is left but what stands around it.
    const remainder = a
      .slice(7, -6)
      .replace(/[{}[\]":\\a]|%(?:25)*(?:22|7B|7D|5B|5D|3A|5C|61)/gi, "")
      .replaceAll("x", "");
    const { length } = bytes;
    expect({ where, length, around: [a.slice(0, 7), a.slice(-6)], remainder }).toEqual({
      where,
      length: getBytes(text).length,
      around: ["before ", " after"],
      remainder: "",
    });
  }
});

const addresses = ["https://h.example/p?s=CANARY", "//h.example/p?s=CANARY", "/p?s=CANARY", "p.ts?s=CANARY", "../p#s=CANARY", "https://me:CANARY@h.example/", "//me:CANARY@h.example/", "Bearer CANARY", "BEARER\tCANARY", '{"viewer_url":"https://v/CANARY"}']; // prettier-ignore
const addressRows = writers.flatMap((writer) => around.flatMap((place) => addresses.map((address) => ({ writer, place, address })))); // prettier-ignore
test("an address or a token is gone whoever wrote it: 480 writings", () => {
  expect(addressRows).toHaveLength(480);
  for (const { writer, place, address } of addressRows) {
    const bytes = getBytes(`data: {"type":"x","a":"${writer.write(`before ${place.wrap(address)} after`)}"}\n\n`);
    redact(bytes, []);
    const { a }: { a: string } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes).slice(6));
    const where = `${writer.name}, ${place.name}: ${address}`;
    expect({ where, leaks: a.includes("CANARY") }).toEqual({ where, leaks: false });
  }
});
