import { inspect } from "node:util";
import { expect, test } from "vitest";
import { pieceShown, spelledSecrets } from "@cloud-browser/testing/secret-spellings.ts";
import { mentionsKey, redactError, redactKeys } from "../../src/errors/redaction.ts";

test("no error shows a key, however it is spelled", () => {
  expect(spelledSecrets.length).toBeGreaterThan(250);
  const shown = spelledSecrets.filter((each) => {
    const text = `before "${each.text}" after`;
    const error = redactError(new Error(text, { cause: new Error(each.text) }), [each.secret]);
    return (
      pieceShown(each, inspect([error, redactKeys(text, [each.secret])])) || !mentionsKey(each.text, [each.secret])
    );
  });
  expect(shown.map(({ spelling, text }) => `${spelling}: ${text}`)).toEqual([]);
});

test("a short key hides no text that has its base64 or hexadecimal form by chance", () => {
  expect(redactKeys("a6b azo= Azp rOg", ["k:"])).toBe("a6b azo= Azp rOg");
  expect(redactKeys("a=b &lt;c&gt; %41 &#1114112; &#x;", ["key-of-owner"])).toBe("a=b &lt;c&gt; %41 &#1114112; &#x;");
});
