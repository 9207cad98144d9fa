import { expect, test } from "vitest";
import { findNameTier, type NamedKind } from "../../src/targets/same-name.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";

type Case = [shown: string, said: string, kind?: NamedKind];

test.each<Case>([
  [" Order\n", "Order"],
  ["Add  to\u00A0cart", "Add to cart"],
  ["C++", "C++"],
  ["−", "-"],
  ["Don’t ask", "Don't ask"],
  ["Wi‑Fi", "Wi-Fi"],
  ["Save…", "Save..."],
  ["Next >>", "Next >>"],
  ["Versand\u00ADkosten", "Versandkosten"],
])("%j is %j as it stands", (label, name, kind) => expect(findNameTier(label, name, kind)).toBe(1));

test.each<Case>([
  ["order", "Order"],
  ["Next →", "Next"],
  ["Next >>", "Next"],
  ["‹ Back", "Back"],
  ["Name: *", "Name", "field"],
  ["I agree*", "I agree"],
  ["Email (required)", "Email"],
  ["Email required", "Email", "field"],
  ["E-Mail (Pflichtfeld)", "E-Mail", "field"],
  ["Téléphone – facultatif", "Téléphone", "field"],
  ["名前 必須", "名前", "field"],
  ["必須 名前", "名前", "field"],
  ["Inbox (12)", "Inbox"],
  ["(99+) Inbox", "Inbox"],
  ["Room 2 (3)", "Room 2"],
  ["Large (3)", "Large", "option"],
  ["Save…", "Save"],
  ["“Save”", "Save"],
  ["🛒 Add", "Add"],
  ["🇩🇪 Deutsch", "Deutsch"],
  ["\uE5CD Close", "Close"],
  ["+ Add", "Add"],
  ["✓ Done", "Done"],
])("%j is %j with what pages add", (label, name, kind) => expect(findNameTier(label, name, kind)).toBe(2));

test.each<Case>([
  ["Cancel order", "Order"],
  ["Buy now", "Buy"],
  ["Order", "Order now"],
  ["Name of your boat", "Name", "field"],
  ["Allow", "all"],
  ["C++", "C"],
  ["C#", "C++"],
  ["C", "C#"],
  ["A*", "A"],
  ["A+", "A", "option"],
  ["A*", "A", "option"],
  ["Room 3", "Room 2"],
  ["Room 3", "Room"],
  ["+", "-"],
  ["−", "+"],
  ["> 5", "5"],
  ["5 >", "5"],
  ["+ 5", "5"],
  ["5%", "5"],
  ["$5", "5"],
  ["5 €", "5"],
  ['5"', "5"],
  ["#1", "1"],
  ["@ada", "ada"],
  [".NET", "NET"],
  ["1.5", "1"],
  ["A/B", "A"],
  ["A & B", "A"],
  ["Stop!", "Stop"],
  ["Stop?", "Stop"],
  ["C ♯", "C"],
  ["Ö", "O"],
  ["Large (sold out)", "Large", "option"],
  ["Inbox (12 new)", "Inbox"],
  ["Signature required", "Signature"],
  ["Next", "Next >>"],
  ["👎", "👍"],
  ["👍👎", "👍"],
])("%j is not %j", (label, name, kind) => expect(findNameTier(label, name, kind)).toBeUndefined());

test("a long text is read within a bound", () => {
  for (const part of ["(1) ", "* ", "required ", "… ", "( ", "(1 ", "- required ", "+ ", "\u00A0"]) {
    const long = part.repeat(5_000);
    const read = (): void => void [`${long}x`, `Save ${long}x`].map((label) => findNameTier(label, "Save", "field"));
    expect(measureProcessorTime(read)).toBeLessThan(200);
  }
});
