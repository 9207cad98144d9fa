import { expect, test } from "vitest";
import { cutSecrets, findSecretPiece, spelledSecrets } from "@cloud-browser/testing/secret-spellings.ts";
import { createRedact } from "../../src/redaction/redact.ts";

test("nothing recorded shows a secret, however it is spelled, and what stands around it stays", () => {
  expect(spelledSecrets.length).toBeGreaterThan(250);
  const redactors = new Map(spelledSecrets.map(({ secret }) => [secret, createRedact("", { ofSetup: [secret] })]));
  const leaks = spelledSecrets.filter((each) => {
    const text = redactors.get(each.secret)?.(`before "${each.text}" after`, "page_scrape") ?? "";
    return findSecretPiece(each, text) || !/^before "[^]*" after$/.test(text);
  });
  expect(leaks.map(({ spelling, text }) => `${spelling}: ${text}`)).toEqual([]);
});

test("no quotation shows the beginning of a secret, however it is spelled, where it was cut", () => {
  const redactors = new Map(cutSecrets.map(({ secret }) => [secret, createRedact("", { ofSetup: [secret] })]));
  const leaks = cutSecrets.filter((each) => {
    const text = redactors.get(each.secret)?.(`before ${each.text}…`, "page_scrape") ?? "";
    return findSecretPiece(each, text) || !/^before [^]*…$/.test(text);
  });
  expect(leaks.map(({ spelling, text }) => `${spelling}: ${text}`)).toEqual([]);
});

test("a body of many backslashes takes no longer for a key with many signs", () => {
  const redact = createRedact("", { ofSetup: [`a${'"-'.repeat(20)}1z`] });
  const text = `a${String.raw`\\\\\\\\u0022\\\\\\\\u002d`.repeat(20)}no`;
  expect(redact(text, "page_scrape")).toBe(text);
});
