import { expect, test } from "vitest";
import { findSecretPiece, spelledSecrets } from "@cloud-browser/testing/secret-spellings.ts";
import { RedactingStream, Secrets } from "../src/task/redaction.ts";

test("no text shows a secret, however it is spelled, at once or in pieces, and what stands around it stays", () => {
  expect(spelledSecrets.length).toBeGreaterThan(250);
  const redactions = new Map(spelledSecrets.map(({ secret }) => [secret, new Secrets("")]));
  for (const [secret, secrets] of redactions) secrets.add(secret);
  const leaks = spelledSecrets.filter((each) => {
    const secrets = redactions.get(each.secret) ?? new Secrets("");
    const stream = new RedactingStream(secrets);
    const text = `before "${each.text}" after`;
    const pieces = (text.match(/[^]{1,4}/g) ?? []).map((piece) => stream.redactPiece(piece)).join("") + stream.end();
    return [secrets.redact(text), pieces].some(
      (out) => findSecretPiece(each, out) || !/^before "[^]*" after$/.test(out),
    );
  });
  expect(leaks.map(({ spelling, text }) => `${spelling}: ${text}`)).toEqual([]);
});

test("a text that only begins like a secret comes out whole, and escapes are held back no longer than it takes", () => {
  const secrets = new Secrets("");
  secrets.add("K3y/of+the=owner");
  const stream = new RedactingStream(secrets);
  expect(stream.redactPiece("see %4")).toBe("see ");
  expect(stream.redactPiece("1 and K3y&#x2F;o")).toBe("%41 and ");
  expect(stream.redactPiece("ther, \\u00")).toBe("K3y&#x2F;other, ");
  expect(stream.end()).toBe("\\u00");
});

test("a text of many backslashes takes no longer for a secret with many signs", () => {
  const secrets = new Secrets("");
  secrets.add(`a${'"-'.repeat(20)}z`);
  const text = `a${String.raw`\\\\\\\\u0022\\\\\\\\u002d`.repeat(20)}no`;
  expect(secrets.redact(text)).toBe(text);
  expect(secrets.measurePartialMatch(text)).toBe(0);
});
