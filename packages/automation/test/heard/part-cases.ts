import { fails, gives, givesRows, type Case } from "./run-case.ts";

const names = ["Ada", "Bea", "Cem"];
const reviews = (line: string): Case["pages"] => ({
  "/": `<h1>Lamp</h1><h2>Reviews</h2><p>${line}</p>${names.map((name) => `<article class=review><h3>By ${name}</h3><p>It shines</p></article>`).join("")}`,
});
const list = (line: string): Case["pages"] => ({
  "/": `<h1>People</h1><ul>${names.map((name) => `<li>${name}`).join("")}</ul><p>${line}</p>`,
});
const rows = names.map((name, index) => `<tr><td>${name}<td>${index + 20}`).join("");
const table = (line: string): Case["pages"] => ({
  "/": `<h1>People</h1><table><tr><th>Name<th>Age${rows}</table><p>${line}</p>`,
});
const [all, items, table3] = ["get all reviews", "extract the list", "extract the table"];
const isPartOf3: Case["right"] = ({ end, data, report }) =>
  end === "done" && Array.isArray(data) && data.length === 3 && /This is a part: 3/.test(report);

const parts: readonly (readonly [name: string, pages: Case["pages"], task: string])[] = [
  ["over a hundred, in words", reviews("over a hundred reviews"), all],
  ["dozens of them", reviews("Dozens of reviews"), all],
  ["three of a number in words", reviews("Showing 3 of ninety-seven reviews"), all],
  ["and more, without a noun, below things", reviews("and 97 more"), all],
  ["the first three are shown", reviews("Showing the first three reviews"), all],
  ["the most recent are shown", reviews("The 3 most recent reviews are shown below"), all],
  ["and more, without a noun, below a list", list("and 97 more"), items],
  ["others, in words", list("… and ninety-seven others"), items],
  ["many more", list("…and many more"), items],
  ["a link to all of them", list("<a href=/all>See all 97 members</a>"), items],
  ["all of them after a log-in", list("Sign in to see all 40 people"), items],
  ["the first of five pages, in words", list("Page one of five"), items],
  ["only the first entries are shown", list("Only the first 3 entries are shown."), items],
  ["a thousand entries, in words", list("Over a thousand entries"), items],
  ["rows that are not shown", table("12 rows not shown"), table3],
  ["rows of a number in words", table("Showing 3 of ninety-seven rows"), table3],
  ["and more, without a noun, below a table", table("and 97 more"), table3],
  ["only the first rows are shown", table("First 3 rows shown. Download the file for all."), table3],
];
const whole: readonly (readonly [name: string, pages: Case["pages"], task: string])[] = [
  ["a number in words that is all", reviews("Three reviews"), all],
  ["all rows are shown", table("All three rows are shown"), table3],
  ["the first customers get something", table("The first 3 customers get a discount"), table3],
  ["a limit that is not reached", table("Results are limited to 100 rows"), table3],
  ["more of something else in each item", list("Colours: +2 more of each on request"), items],
];

/** Pages that say that they show only a part. */
export const partCases: readonly Case[] = [
  ...parts.map(([name, pages, task]): Case => ({ name, pages, task, right: isPartOf3 })),
  ...whole.map(([name, pages, task]): Case => ({ name, pages, task, right: givesRows(3) })),
  {
    name: "a count of which only the first are shown",
    pages: reviews("Only the first 3 reviews are shown"),
    task: "how many reviews are there",
    right: fails(/there are more/),
  },
  {
    name: "an item that says that there are more",
    pages: { "/": "<ul><li>Ada<li>Bea<li>and 97 more</ul>" },
    task: items,
    right: (outcome) => gives(["Ada", "Bea"])(outcome) && /This is a part: 2/.test(outcome.report),
  },
  {
    name: "a row with empty cells that says that there are more",
    pages: { "/": `<table><tr><th>Name<th>Age${rows}<tr><td>… and 12 more<td></table>` },
    task: table3,
    right: isPartOf3,
  },
  {
    name: "more of something else within items",
    pages: { "/": "<ul><li>Shirt <span>+2 more</span><li>Hat <span>+3 more</span><li>Sock</ul>" },
    task: items,
    right: givesRows(3),
  },
  {
    name: "more brands in a filter",
    pages: {
      "/": `<main><ul>${names.map((name) => `<li>${name}`).join("")}</ul></main><aside><b>Brand</b> <p>Acme</p><p>12 more</p></aside>`,
    },
    task: items,
    right: givesRows(3),
  },
];
