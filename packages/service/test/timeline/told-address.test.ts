import { describe, expect, test } from "vitest";
import { AskedChanges } from "../../src/timeline/asked-changes.ts";
import { redactForTimeline, type ToldAddress } from "../../src/timeline/told-address.ts";

const cases: readonly (readonly [address: string, told: ToldAddress])[] = [
  ["https://a.example/b", { url: "https://a.example/b" }],
  ["https://a.example/b?q=tea&page=2", { url: "https://a.example/b", parameters: ["q", "page"] }],
  ["https://a.example/b?q=a&q=b", { url: "https://a.example/b", parameters: ["q", "q"] }],
  ["https://a.example/b#top", { url: "https://a.example/b", is_partial: true }],
  ["https://a.example/b?dGhpc2lzYXNlY3JldA==", { url: "https://a.example/b", is_partial: true }],
  ["https://a.example/b?s3cr3t", { url: "https://a.example/b", is_partial: true }],
  ["https://a.example/b?4111111111111111=x", { url: "https://a.example/b", is_partial: true }],
  ["https://a.example/b?0a1b2c3d4e5f=x", { url: "https://a.example/b", is_partial: true }],
  ["https://u:p@a.example/b", { url: "https://a.example/b", is_partial: true }],
  ["https://a.example/token/hidden", { url: "https://a.example/token/***", is_partial: true }],
  ["about:blank", { url: "about:blank" }],
];

test.each(cases)("of %s is told what names it, and none of its values", (address, expected) => {
  expect(redactForTimeline(address, (one) => one.replace("hidden", "***"))).toEqual(expected);
});

describe("what was asked for", () => {
  const begun = { kind: "navigation-started", tab: 1, url: "http://a/b?c=d", type: "differentDocument" } as const;
  const ended = { kind: "navigation", tab: 1, url: "http://a/b?c=d", sameDocument: false } as const;

  test("is told from what a page does by itself, by its address", () => {
    const changes = new AskedChanges();
    changes.note("person", { kind: "address", url: "http://a/b?c=d" });
    changes.begin({ ...begun, url: "http://a/other" });
    expect(changes.end({ ...ended, url: "http://a/other" })).toBeUndefined();
    changes.begin(begun);
    expect(changes.end({ ...ended, url: "http://a/redirected" })).toMatchObject({ kind: "address" });
    changes.begin(begun);
    expect(changes.end(ended)).toBeUndefined();
  });

  test.each([
    ["back", "historyDifferentDocument", "back"],
    ["back", "reload", undefined],
    ["reload", "reload", "reload"],
    ["reload", "differentDocument", undefined],
  ] as const)("%s is what goes as %s: %s", (kind, type, expected) => {
    const changes = new AskedChanges();
    changes.note("person", { kind });
    changes.begin({ ...begun, type });
    expect(changes.end(ended)?.kind).toBe(expected);
  });

  test("is no change of the address that a script of the page makes", () => {
    const changes = new AskedChanges();
    changes.note("person", { kind: "back" });
    expect(changes.end({ ...ended, sameDocument: true, byScript: true })).toBeUndefined();
    expect(changes.end({ ...ended, sameDocument: true, byScript: false })).toEqual({ kind: "back" });
  });

  test("is an end of a tab once", () => {
    const changes = new AskedChanges();
    changes.noteCommand("Page.close", {});
    expect([changes.hasClosed(), changes.hasClosed()]).toEqual([true, false]);
  });
});
