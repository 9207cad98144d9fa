/* oxlint-disable unicorn/consistent-function-scoping -- what only one page needs stands beside it */
import { each, shape, type PageShape } from "./shape.ts";

const days = [
  { day: "Monday", high: "21°", sky: "Sunny" },
  { day: "Tuesday", high: "18°", sky: "Rain" },
  { day: "Wednesday", high: "19°", sky: "Cloudy" },
];
const moreDays = [
  { day: "Friday", high: "9°", sky: "Snow" },
  { day: "Saturday", high: "11°", sky: "Sunny" },
];
const hotels = [
  { hotel: "Sea View", night: "$120", score: "8.4" },
  { hotel: "Old Mill", night: "$95", score: "9.1" },
  { hotel: "Station Inn", night: "$60", score: "7.0" },
];
const moreHotels = [
  { hotel: "Old Mill", night: "$99", score: "9.0" },
  { hotel: "Harbour", night: "$210", score: "9.5" },
  { hotel: "Sea View", night: "$125", score: "8.3" },
  { hotel: "Station Inn", night: "$65", score: "7.1" },
];
const stories = [
  { title: "Show: a tiny boat", site: "boat.example", points: "120" },
  { title: "Why ropes fail", site: "rope.example", points: "88" },
  { title: "Ask: which anchor?", site: "", points: "5" },
];
const moreStories = [
  { title: "Why ropes fail", site: "rope.example", points: "99" },
  { title: "New charts", site: "chart.example", points: "7" },
];
const lines = [
  { text: "Paint", quantity: "2", sum: "€40.00" },
  { text: "Brush", quantity: "1", sum: "€5.50" },
];
const moreLines = [
  { text: "Rope", quantity: "10", sum: "€30.00" },
  { text: "Paint", quantity: "1", sum: "€20.00" },
  { text: "Glue", quantity: "3", sum: "€9.00" },
];
const versions = [
  { version: "2.1.0", date: "2026-05-01", changes: ["Faster start", "Fixes a leak"] },
  { version: "2.0.0", date: "2026-03-01", changes: ["New engine"] },
];
const moreVersions = [
  { version: "2.2.0", date: "2026-07-01", changes: ["Dark mode"] },
  { version: "2.1.0", date: "2026-05-01", changes: ["Faster start", "Fixes a leak"] },
  { version: "2.0.0", date: "2026-03-01", changes: ["New engine"] },
];
const contacts = [
  { name: "Ada Byron", role: "Skipper", phone: "+44 20 1111" },
  { name: "Kim Lee", role: "Cook", phone: "+44 20 2222" },
];
const moreContacts = [
  { name: "Kim Lee", role: "Skipper", phone: "+44 20 2222" },
  { name: "Joe Oak", role: "Cook", phone: "+44 20 3333" },
  { name: "Max Elm", role: "Guest", phone: "+44 20 4444" },
];
const episodes = [
  { title: "Ep. 12: Tides", length: "41 min" },
  { title: "Ep. 11: Knots", length: "38 min" },
  { title: "Ep. 10: Sails", length: "52 min" },
];
const moreEpisodes = [
  { title: "Ep. 13: Fog", length: "29 min" },
  { title: "Ep. 12: Tides", length: "41 min" },
];
const issues = [
  { title: "Crash on start", label: "bug" },
  { title: "Add a compass", label: "feature" },
];
const moreIssues = [
  { title: "Wrong depth", label: "bug" },
  { title: "Crash on start", label: "bug" },
  { title: "Add a map", label: "feature" },
];
const terms = [
  { term: "Bow", meaning: "The front of a boat." },
  { term: "Stern", meaning: "The back of a boat." },
];
const moreTerms = [
  { term: "Keel", meaning: "The spine of a boat." },
  { term: "Stern", meaning: "The back of it." },
  { term: "Bow", meaning: "The front of it." },
];

/** Kinds of pages that were written when the reader was built: how it does on what it was not made for. */
export const blindShapes: readonly PageShape[] = [
  shape(
    "a weather forecast",
    [days, moreDays],
    (rows) =>
      `<div id=app><header><h1>Bergen</h1></header><section class=now><h2>Now</h2><p class=temp>15°</p></section><section class=forecast><h2>Forecast</h2><div class=days>${each(rows, ({ day, high, sky }) => `<div class=day><span class=day-name>${day}</span><img src="data:," alt="${sky}"><span class=high>${high}</span></div>`)}</div></section></div>`,
    [
      ["list all days", (rows) => rows.map(({ day, high }) => `${day} ${high}`.replace(" ", ""))],
      ["how many days are in the forecast?", (rows) => rows.length],
      ["get the highs under Forecast", (rows) => rows.map(({ high }) => high)],
      ["get the wind speeds", /wind/],
    ],
  ),
  shape(
    "hotels with taxes beside the price",
    [hotels, moreHotels],
    (rows) =>
      `<main><h1>Hotels in Voss: ${rows.length} properties found</h1><div data-testid=results>${each(rows, ({ hotel, night, score }) => `<div data-testid=property-card><a href=/h><div data-testid=title>${hotel}</div></a><div data-testid=review-score aria-label="Scored ${score}">${score}</div><div><span data-testid=price>${night}</span><span class=taxes>+$15 taxes and fees</span></div></div>`)}</div></main>`,
    [
      [
        "scrape the name and price of every hotel",
        (rows) => rows.map(({ hotel, night }) => ({ name: hotel, price: night })),
      ],
      ["return the prices of all hotels", (rows) => rows.map(({ night }) => night)],
      ["what are the names of the hotels?", (rows) => rows.map(({ hotel }) => hotel)],
      [
        "get the two cheapest hotels",
        (rows) =>
          [...rows]
            .sort((one, other) => Number(one.night.slice(1)) - Number(other.night.slice(1)))
            .slice(0, 2)
            .map(({ hotel, night }) => ({ name: hotel, price: night })),
      ],
    ],
  ),
  shape(
    "news for hackers, two rows of a table for each",
    [stories, moreStories],
    (rows) =>
      `<table><tr><td><b>News</b> <a href=/new>new</a></table><table class=itemlist>${each(rows, ({ title, site, points }, index) => `<tr class=athing><td>${index + 1}.</td><td class=title><span class=titleline><a href=/s>${title}</a>${site === "" ? "" : ` <span class=sitebit>(<a href=/f>${site}</a>)</span>`}</span></td></tr><tr><td></td><td class=subtext><span class=score>${points} points</span> by <a href=/u class=hnuser>ada</a> | <a href=/c>12 comments</a></td></tr>`)}</table>`,
    [
      ["get the titles of the stories", /stories|titles/],
      ["get the points of each story", /stories|points/],
    ],
  ),
  shape(
    "an invoice",
    [lines, moreLines],
    (rows) =>
      `<h1>Invoice 2026-12</h1><dl><dt>Customer</dt><dd>Ada Byron</dd><dt>Due date</dt><dd>1 June 2026</dd></dl><table><thead><tr><th>Item<th>Quantity<th>Amount</thead><tbody>${each(rows, ({ text, quantity, sum }) => `<tr><td>${text}<td>${quantity}<td>${sum}`)}</tbody><tfoot><tr><td colspan=2>Total<td>€99.00</tfoot></table>`,
    [
      ["get all amounts", (rows) => rows.map(({ sum }) => sum)],
      [
        "get the item and quantity of each line",
        (rows) => rows.map(({ text, quantity }) => ({ item: text, quantity })),
      ],
      ["how many items are on the invoice", /no part of the page is called "invoice"/],
      ["list the items", (rows) => rows.map(({ text }) => text)],
    ],
  ),
  shape(
    "a changelog",
    [versions, moreVersions],
    (rows) =>
      `<article><h1>Changelog</h1>${each(rows, ({ version, date, changes }) => `<h2>Version ${version}</h2><p><time>${date}</time></p><ul>${each(changes, (one) => `<li>${one}`)}</ul>`)}</article>`,
    [
      ["get the dates", (rows) => rows.map(({ date }) => date)],
      ["list the items under Version 2.0.0", () => ["New engine"]],
      ["get the headings", (rows) => ["Changelog", ...rows.map(({ version }) => `Version ${version}`)]],
      ["how many versions are there", /versions/],
    ],
  ),
  shape(
    "cards of people",
    [contacts, moreContacts],
    (rows) =>
      `<h2>Our team</h2><div class=team>${each(rows, ({ name, role, phone }) => `<figure class=member><img src="data:," alt=""><figcaption><strong>${name}</strong><br><em>${role}</em></figcaption><a href="tel:${phone.replaceAll(" ", "")}">${phone}</a></figure>`)}</div><footer>Office: <a href="tel:+4420999">+44 20 9999</a></footer>`,
    [
      ["collect the phone numbers of the team members", (rows) => rows.map(({ phone }) => phone)],
      ["get the names of all team members", (rows) => rows.map(({ name }) => name)],
      ["how many members does the team have", /no part of the page is called "team"/],
      ["get the salaries of the members", /salar/],
    ],
  ),
  shape(
    "episodes of a podcast",
    [episodes, moreEpisodes],
    (rows) =>
      `<main><h1>Sea talk</h1><h2>All episodes</h2><ol reversed>${each(rows, ({ title, length }) => `<li><a href=/e>${title}</a> <small>${length}</small> <button>Play</button></li>`)}</ol></main>`,
    [
      ["give me a list of all episode titles", (rows) => rows.map(({ title }) => title)],
      ["return the titles of the last two episodes", (rows) => rows.slice(-2).map(({ title }) => title)],
      ["list the episodes", (rows) => rows.map(({ title, length }) => `${title} ${length}`)],
      ["get the guests of the episodes", /guest/],
    ],
  ),
  shape(
    "issues with labels",
    [issues, moreIssues],
    (rows) =>
      `<main><div class=toolbar><a href=/o>${rows.length} Open</a> <a href=/c>7 Closed</a></div><div role=list>${each(rows, ({ title, label }, index) => `<div role=listitem class=issue-row><h3><a href="/i/${index}">${title}</a></h3><span class=label>${label}</span><div class=meta>#${index + 1} opened by <a href=/u>kim</a></div></div>`)}</div></main>`,
    [
      ["get the title and label of each issue", (rows) => rows.map(({ title, label }) => ({ title, label }))],
      ["list all issue titles", (rows) => rows.map(({ title }) => title)],
      ["count the issues", (rows) => rows.length],
      ["get the labels of the issues", (rows) => rows.map(({ label }) => label)],
    ],
  ),
  shape(
    "a glossary",
    [terms, moreTerms],
    (rows) => `<h1>Glossary</h1><dl>${each(rows, ({ term, meaning }) => `<dt>${term}</dt><dd>${meaning}</dd>`)}</dl>`,
    [
      ["list the terms", (rows) => rows.map(({ term }) => term)],
      [
        "get the term and definition of each entry",
        (rows) => rows.map(({ term, meaning }) => ({ term, definition: meaning })),
      ],
      ["how many terms are there", (rows) => rows.length],
    ],
  ),
];
