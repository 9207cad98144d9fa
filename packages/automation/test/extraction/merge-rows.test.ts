import { expect, test } from "vitest";
import { mergeRows } from "../../src/extraction/merge-rows.ts";

test.each<[what: string, before: string, next: string, items: string, hasNew: boolean]>([
  ["more after the same", "abc", "abcde", "abcde", true],
  ["the same", "abc", "abc", "abc", false],
  ["a part of the same", "abcd", "bc", "abcd", false],
  ["the end, and more", "abcd", "cdef", "abcdef", true],
  ["other ones", "abc", "xyz", "abcxyz", true],
  ["equal ones at the seam", "aabb", "bbcc", "aabbcc", true],
  ["one more of what is equal", "aabbc", "bbcc", "aabbcc", true],
  ["some of the same, in another order", "abc", "cxa", "abcxa", true],
])("%s", (_, before, next, items, hasNew) => {
  expect(mergeRows(before.split(""), next.split(""))).toEqual({ items: items.split(""), hasNew });
});
