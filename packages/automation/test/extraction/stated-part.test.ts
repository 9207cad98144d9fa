import { expect, test } from "vitest";
import { writeNumbersAsDigits } from "../../src/extraction/number-words.ts";
import { saysMore } from "../../src/extraction/says-more.ts";
import { offersMore, readShownLimit } from "../../src/extraction/stated-part.ts";

test.each([
  ["over a hundred reviews", "over 100 reviews"],
  ["one hundred and five rows", "105 rows"],
  ["two thousand three hundred", "2300"],
  ["a dozen", "12"],
  ["hundreds of", "200+"],
  ["des centaines d'avis", "des 200+ avis"],
  ["über hundert Bewertungen", "über 100 Bewertungen"],
  ["2 hundred, someone", "2 hundred, someone"],
])("%s is %s", (text, digits) => {
  expect(writeNumbersAsDigits(text)).toBe(digits);
});

test.each([
  ["Only the first 2 entries are shown", 2],
  ["Showing top ten", 10],
  ["Nur die ersten 20 Einträge werden angezeigt", 20],
  ["This list is limited to 1,000 rows", 1000],
  ["The first 10 customers get a discount", undefined],
  ["Showing 3 results", undefined],
  ["Showing 1-20 of 97", undefined],
  ["Only 3 left", undefined],
])("of %s the limit is %s", (text, limit) => {
  expect(readShownLimit(text)).toBe(limit);
});

test.each(["and 97 more", "… and twelve more rows", "+ 3 weitere", "12 rows not shown", "and many more"])(
  "%s says that there is more",
  (text) => {
    expect(saysMore(text)).toBeDefined();
  },
);

test.each(["more", "12 more colours", "One more thing: it is blue", "97 rows"])("%s does not", (text) => {
  expect(saysMore(text)).toBeUndefined();
});

test.each(["See all 97 members", "Show all forty", "Sign in to see all jobs", "Page one of five"])(
  "%s offers more than three",
  (text) => {
    expect(offersMore(text, 3, 1)).toBe(true);
  },
);

test.each(["See all 3 members", "View all", "Sign in to see your jobs", "Page 5 of 5", "Show all 100% cotton"])(
  "%s does not",
  (text) => {
    expect(offersMore(text, 3, 1)).toBe(false);
  },
);
