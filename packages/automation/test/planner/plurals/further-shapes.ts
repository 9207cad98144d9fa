/* oxlint-disable unicorn/consistent-function-scoping -- what only one page needs stands beside it */
import { each, shape, type PageShape } from "./shape.ts";

const reviews = [
  { by: "Ada", stars: "5", text: "Very good." },
  { by: "Kim", stars: "2", text: "Broke at once." },
  { by: "Lou", stars: "4", text: "Good." },
];
const moreReviews = [
  { by: "Joe", stars: "1", text: "Bad." },
  { by: "Ada", stars: "5", text: "Still very good." },
];
type Review = (typeof reviews)[number];
const review = ({ by, stars, text }: Review): string =>
  `<div class=review><span class=author>${by}</span> <span class=rating>${stars} of 5</span><p>${text}</p></div>`;

const results = [
  { title: "Tea in Asia", url: "tea-asia.example" },
  { title: "Tea for two", url: "two.example" },
];
const moreResults = [
  { title: "All about tea", url: "all.example" },
  { title: "Tea in Asia", url: "tea-asia.example" },
  { title: "Teapots", url: "pots.example" },
];
type Result = (typeof results)[number];

const repositories = [
  { name: "boat", language: "Go", stars: "1,204" },
  { name: "sail", language: "Rust", stars: "87" },
  { name: "oar", language: "", stars: "3" },
];
const moreRepositories = [
  { name: "keel", language: "C", stars: "12" },
  { name: "boat", language: "Go", stars: "1,300" },
];
type Repository = (typeof repositories)[number];

const threads = [
  { topic: "Leaking hull", by: "ada", replies: "4" },
  { topic: "Best paint", by: "kim", replies: "0" },
];
const moreThreads = [
  { topic: "Which rope", by: "lou", replies: "9" },
  { topic: "Best paint", by: "kim", replies: "2" },
  { topic: "Leaking hull", by: "ada", replies: "5" },
];
type Thread = (typeof threads)[number];

const questions = ["How long?", "How much?", "By when?"];
const moreQuestions = ["By when?", "Who pays?"];

export const furtherShapes: readonly PageShape[] = [
  shape<Review>(
    "reviews of which a part is shown",
    [reviews, moreReviews],
    (rows) => `<h1>Kettle</h1><p>Price: €20</p><h2>128 reviews</h2>${each(rows, review)}<a href="?page=2">Next</a>`,
    [
      ["how many reviews are there?", () => 128],
      ["get the authors of the reviews", (rows) => rows.map(({ by }) => by), /a part.*128/],
      ["get the ratings", (rows) => rows.map(({ stars }) => `${stars} of 5`), /a part/],
      ["get the first two authors", (rows) => rows.slice(0, 2).map(({ by }) => by)],
      ["get the first 20 authors", /more/],
      ["get the prices", () => ["€20"]],
    ],
  ),
  shape<Review>(
    "reviews without a number, and more on the next page",
    [reviews, moreReviews],
    (rows) => `<h1>Kettle</h1><h2>Reviews</h2><div>${each(rows, review)}</div><button>Load more</button>`,
    [
      ["how many reviews are there?", /more|part/],
      ["count the reviews", /more|part/],
      [
        "get the author and rating of each review",
        (rows) => rows.map(({ by, stars }) => ({ author: by, rating: `${stars} of 5` })),
        /a part/,
      ],
      ["get all review texts", (rows) => rows.map(({ text }) => text), /a part/],
    ],
  ),
  shape<Review>("no reviews yet", [[], []], () => `<h1>Kettle</h1><h2>Reviews</h2><p>No reviews yet.</p>`, [
    ["how many reviews are there?", () => 0],
    ["get the authors of the reviews", /no reviews|author/i],
    ["get the prices", /price/],
  ]),
  shape<Result>(
    "results of a search, with ads",
    [results, moreResults],
    (rows) => {
      const hit = ({ title, url }: Result, mark = ""): string =>
        `<li class=result>${mark}<h3><a href="http://${url}/">${title}</a></h3><cite>${url}</cite><p>Words about ${title}.</p></li>`;
      return `<form><input name=q value=tea><button>Search</button></form><p>Related: <a href=/r>green tea</a></p><ol>${hit({ title: "Buy tea", url: "ads.example" }, "<span>Ad</span>")}${each(rows, (row) => hit(row))}</ol>`;
    },
    [
      ["get the titles of the results", (rows) => rows.map(({ title }) => title), /\bAd\b/],
      ["list all result titles", (rows) => rows.map(({ title }) => title), /\bAd\b/],
      ["how many results are there", (rows) => rows.length, /\bAd\b/],
      ["get the title of each result", (rows) => rows.map(({ title }) => ({ title })), /\bAd\b/],
      [
        "get the title and link of each result",
        (rows) => rows.map(({ title, url }) => ({ title, link: `http://${url}/` })),
        /\bAd\b/,
      ],
    ],
  ),
  shape<Repository>(
    "a list of repositories",
    [repositories, moreRepositories],
    (rows) =>
      `<main><h1>Repositories</h1><ul>${each(rows, ({ name, language, stars }) => `<li itemscope itemtype="http://schema.org/Code"><h3><a href="/x/${name}" itemprop=name>${name}</a></h3><p itemprop=description>About ${name}</p>${language === "" ? "" : `<span itemprop=programmingLanguage>${language}</span>`} <a href="/x/${name}/stars" aria-label="${stars} stars">${stars}</a></li>`)}</ul></main>`,
    [
      ["get the names of all repositories", (rows) => rows.map(({ name }) => name)],
      [
        "get the name and description of each repository",
        (rows) => rows.map(({ name }) => ({ name, description: `About ${name}` })),
      ],
      ["how many repositories are there", (rows) => rows.length],
      ["get the licenses of the repositories", /license/],
    ],
  ),
  shape<Thread>(
    "threads of a forum",
    [threads, moreThreads],
    (rows) =>
      `<h1>Boats</h1><div class=threads>${each(rows, ({ topic, by, replies }) => `<div class="thread row"><a class=topic href=/t>${topic}</a><span class=author>${by}</span><span>Replies: ${replies}</span></div>`)}</div><div class="thread row" style="display:none"><a class=topic href=/t>Template</a><span class=author>nobody</span><span>Replies: 0</span></div>`,
    [
      ["get the topics", (rows) => rows.map(({ topic }) => topic)],
      ["get the topic and author of each thread", (rows) => rows.map(({ topic, by }) => ({ topic, author: by }))],
      ["get the replies of each thread", (rows) => rows.map(({ replies }) => ({ replies }))],
      ["how many threads are there", (rows) => rows.length],
      ["get the authors of the threads from all pages", (rows) => rows.map(({ by }) => by)],
    ],
  ),
  shape<string>(
    "questions that open, and a form",
    [questions, moreQuestions],
    (rows) =>
      `<h1>Help</h1><h2>Questions</h2>${each(rows, (one) => `<details><summary>${one}</summary><p>It depends.</p></details>`)}<h2>Ask</h2><form><label>Name <input></label><label>Topic <select><option>Boats<option>Trains</select></label><label><input type=checkbox> Copy</label><button>Send</button><button type=button>Clear</button></form>`,
    [
      ["list the questions", (rows) => rows],
      ["how many questions are there", (rows) => rows.length],
      ["how many buttons are there", () => 2],
      ["get the labels in the form", () => ["Name", "Topic", "Copy"]],
      ["get the answers", /answer/],
    ],
  ),
  shape<string>(
    "one thing only",
    [["Fog until noon"], ["Sun all day"]],
    ([one]) =>
      `<h1>Today</h1><ul class=warnings><li class=warning>${one}</li></ul><p>Call <a href=tel:112>112</a> or write to help@x.example.</p>`,
    [
      ["list the warnings", (rows) => rows],
      ["how many warnings are there", () => 1],
      ["get the email addresses", () => ["help@x.example"]],
      ["get the phone numbers", () => ["112"]],
      ["get the prices", /price/],
    ],
  ),
];
