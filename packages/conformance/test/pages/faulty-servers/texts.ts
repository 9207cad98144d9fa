/** Faults of the text of paragraphs, of what is extracted from them, and of what comes at other times. */
import { always, breakPages, inMarkdown, writeMarkdown } from "./faulty-server.ts";
import type { DataSpace } from "../scrape.ts";
import type { Twist } from "../site-server.ts";

/** Changes structured data that an extraction has found. */
const match =
  (change: (data: object) => DataSpace["structured"]): NonNullable<Twist["scrape"]> =>
  (answer) => {
    const data = answer.structured?.data;
    return typeof data === "object" && data !== null ? { ...answer, structured: change(data) ?? null } : answer;
  };

/** Changes the answer to every plain scrape but the first ones. */
const after = (times: number, change: (answer: DataSpace) => DataSpace): NonNullable<Twist["scrape"]> => {
  let time = 0;
  return (answer, request) => (Object.keys(request).length === 0 && (time += 1) > times ? change(answer) : answer);
};

/** Servers with one fault each. */
export const textFaults = breakPages({
  "page/markdown-keeps-text scrape.response.markdown.meaning": writeMarkdown(
    {
      "drops the beginning of a paragraph": (text) => text.replace("The old harbour lies in the bay of", "At"),
      "cuts the paragraphs of long pages after their first words": (text) =>
        text.replace(/(has written:) .*$/gm, "$1 …"),
      "writes the article in small letters": (text) =>
        text.includes("brindolake")
          ? text.replace(/^.*(brindolake|tormarigold).*$/gm, (line) => line.toLowerCase())
          : text,
      "changes a number in words": (text) => text.replace("a hundred and fifty years", "some years"),
      "translates half a sentence": (text) =>
        text.replace("The people who work there have done so for many years", "Die Leute arbeiten dort seit Jahren"),
      "exchanges two sentences of a paragraph": (text) =>
        text.replace(/(The wind came[^.]*\.) (Two boats lay[^.]*\.)/g, "$2 $1"),
      "loses the spaces around a word": (text) => text.replace(/ (\w*tormarigold) /g, "$1"),
      "drops the end of an item of a list": (text) => text.replace(" with no stop", ""),
      "drops the number in a cell": (text) => text.replace("4 of fourteenoak", "fourteenoak"),
      "shortens a heading": (text) => text.replace("Crossings to", "To"),
      "changes the value in a line of code": (text) => text.replace("grantulope = 1;", "grantulope = 2;"),
      "drops the end of the footer": (text) => text.replace(" in the old customs house", ""),
      "counts to the wrong day": (text) => text.replace(/^Of day \d+ /gm, "Of day 7 "),
    },
    always,
  ),
  "page/markdown-has-nothing-twice scrape.markdown-of-page-alone": {
    "has everything twice": { scrape: inMarkdown((text) => `${text}\n\n${text}`, always) },
  },
  "page/markdown-has-content scrape.response.markdown.meaning": {
    "calls every link a link": {
      scrape: inMarkdown((text) => text.replace(/text(sandpiper|curlew|dunlin)/g, "link"), always),
    },
    "loses a quotation after six scrapes": {
      scrape: after(6, (answer) => ({ ...answer, markdown: answer.markdown.replace(/.*silvermothe.*/, "") })),
    },
  },
  "page/structured-is-of-page structured.data.meaning": {
    "finds another offer that the page does not have": {
      scrape: match((data) => {
        const offers: unknown[] = "offers" in data && Array.isArray(data.offers) ? data.offers : [];
        const more = offers.length > 0 ? { offers: [...offers, { price: 12, currency: "USD" }] } : {};
        return { success: true, error: null, data: { ...data, ...more } };
      }),
    },
    "finds a longer name than the page has": {
      scrape: match((data) =>
        "name" in data
          ? { success: true, error: null, data: { ...data, name: `${String(data.name)} Limited Edition 2024` } }
          : null,
      ),
    },
  },
  "page/structured-has-data structured.success.has-data": Object.fromEntries(
    [{ data: null }, {}, { data: null, error: " " }].map((rest, at) => [
      `says that it succeeded and has no data, in way ${at + 1}`,
      { scrape: match(() => ({ success: true, ...rest })) },
    ]),
  ),
});
