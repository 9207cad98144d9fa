import { expect, test } from "vitest";
import { cutSecrets, findSecretPiece, spelledSecrets } from "@cloud-browser/testing/secret-spellings.ts";
import { redact } from "../../src/recording/redaction.ts";

function redactText(text: string, secrets: readonly string[]): string {
  const bytes = new TextEncoder().encode(text);
  redact(bytes, secrets);
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

test("no recording shows a secret, however it is spelled, and what stands around it stays", () => {
  expect(spelledSecrets.length).toBeGreaterThan(250);
  const leaks = spelledSecrets.filter((each) => {
    const text = redactText(`before "${each.text}" after`, [each.secret]);
    return findSecretPiece(each, text) || !/^before "[^]*" after$/.test(text);
  });
  expect(leaks.map(({ spelling, text }) => `${spelling}: ${text}`)).toEqual([]);
});

test("no recording shows the beginning of a secret, however it is spelled, where its end cuts it off", () => {
  const leaks = cutSecrets.filter((each) => findSecretPiece(each, redactText(`before ${each.text}`, [each.secret])));
  expect(leaks.map(({ spelling, text }) => `${spelling}: ${text}`)).toEqual([]);
  expect(redactText("see plain&quo", ['plain"more'])).toBe("see xxxxxxxxx");
});

test("entities that are none, or that the end cuts, are left as they are", () => {
  const text = "a&b=c &; &#; &#x; &#1114112; &nothing; &amp &lt";
  expect(redactText(text, ["c &; &"])).toBe(text.replace("c &; &", "xxxxxx"));
  expect(redactText("a &#x73;&#101;cre&#11", ["secret"])).toBe("a xxxxxxxxxxxxxxxxxxx");
});
