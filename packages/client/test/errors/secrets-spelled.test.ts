import { inspect } from "node:util";
import { expect, test } from "vitest";
import { cutSecrets, findSecretPiece, spelledSecrets } from "@cloud-browser/testing/secret-spellings.ts";
import { mentionsKey, redactError, redactKeys } from "../../src/errors/redaction.ts";

test("no error shows a key, however it is spelled", () => {
  expect(spelledSecrets.length).toBeGreaterThan(250);
  const leaks = spelledSecrets.filter((each) => {
    const text = `before "${each.text}" after`;
    const error = redactError(new Error(text, { cause: new Error(each.text) }), [each.secret]);
    return (
      findSecretPiece(each, inspect([error, redactKeys(text, [each.secret])])) || !mentionsKey(each.text, [each.secret])
    );
  });
  expect(leaks.map(({ spelling, text }) => `${spelling}: ${text}`)).toEqual([]);
});

/** A text that leaves so many characters before messages are cut. */
const fillUpTo = (length: number): string => `${".".repeat(8191 - length)} `;

test("no error shows the beginning of a key, however it is spelled, where a long message was cut", () => {
  const leaks = cutSecrets.filter((each) => {
    const whole = spelledSecrets.find(({ secret, spelling }) => secret === each.secret && spelling === each.spelling);
    const error = redactError(new Error(`${fillUpTo(each.text.length)}${whole?.text} after`), [each.secret]);
    return findSecretPiece(each, inspect(error, { maxStringLength: Infinity }));
  });
  expect(leaks.map(({ spelling, text }) => `${spelling}: ${text}`)).toEqual([]);
  const cut = redactError(new Error(`${fillUpTo(20)}https://user:passphrase@a.example/`), ["key"]);
  expect(inspect(cut, { maxStringLength: Infinity })).not.toContain("user:");
});

test("a short key hides no text that has its base64 or hexadecimal form by chance", () => {
  expect(redactKeys("a6b azo= Azp rOg", ["k:"])).toBe("a6b azo= Azp rOg");
  expect(redactKeys("a=b &lt;c&gt; %41 &#1114112; &#x;", ["key-of-owner"])).toBe("a=b &lt;c&gt; %41 &#1114112; &#x;");
});
