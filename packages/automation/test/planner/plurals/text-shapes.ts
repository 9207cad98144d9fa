/* oxlint-disable unicorn/consistent-function-scoping -- what only one page needs stands beside it */
import { each, shape, type PageShape } from "./shape.ts";

const stories = [
  { title: "Ferry to return in May", by: "Ann Roe", date: "2 May 2026" },
  { title: "Bridge closed", by: "Lee Fox", date: "1 May 2026" },
  { title: "Harbour grows", by: "Kim Oak", date: "30 April 2026" },
];
const moreStories = [
  { title: "Storm ahead", by: "Lee Fox", date: "9 May 2026" },
  { title: "Ferry returned", by: "Ann Roe", date: "8 May 2026" },
  { title: "Bridge open", by: "Joe Elm", date: "7 May 2026" },
  { title: "New pier", by: "Kim Oak", date: "6 May 2026" },
];
type Story = (typeof stories)[number];
const titles = (rows: readonly Story[]): readonly string[] => rows.map(({ title }) => title);

const dishes = [
  { dish: "Soup", price: "4.50 €" },
  { dish: "Salad", price: "6.00 €" },
];
const moreDishes = [
  { dish: "Bread", price: "2.00 €" },
  { dish: "Olives", price: "3.00 €" },
  { dish: "Soup", price: "4.80 €" },
];
type Dish = (typeof dishes)[number];

const jobs = [
  { title: "Cook", company: "Inn", salary: "€30,000" },
  { title: "Sailor", company: "Line", salary: "" },
  { title: "Guard", company: "Bank", salary: "€28,000" },
];
const moreJobs = [
  { title: "Clerk", company: "Bank", salary: "€31,000" },
  { title: "Cook", company: "Inn", salary: "€32,000" },
  { title: "Pilot", company: "Line", salary: "" },
  { title: "Nurse", company: "Ward", salary: "€39,000" },
];
type Job = (typeof jobs)[number];

const ingredients = ["200 g flour", "2 eggs", "300 ml milk"];
const moreIngredients = ["250 g flour", "3 eggs"];

export const textShapes: readonly PageShape[] = [
  shape<Story>(
    "the front page of a newspaper",
    [stories, moreStories],
    (rows) => {
      const article = ({ title, by, date }: Story): string =>
        `<article><h3><a href="/a/${title}">${title}</a></h3><p class=byline>By ${by}</p><time datetime=2026-05-01>${date}</time><p>Some words.</p></article>`;
      return `<header><h1>Daily Post</h1><nav><a href=/s>Sport</a></nav></header><main><section><h2>News</h2>${each(rows, article)}</section>
        <section><h2>Sport</h2>${article({ title: "Rovers win", by: "Max Ash", date: "3 May 2026" })}${article({ title: "United lose", by: "Max Ash", date: "4 May 2026" })}</section></main>
        <aside><h2>Most read</h2><ol><li><a href=/m>Old news</a><li><a href=/n>Older news</a></ol></aside><footer><a href=/i>Imprint</a></footer>`;
    },
    [
      ["get the titles of the articles under News", titles],
      [
        "get the title and author of each article under News",
        (rows) => rows.map(({ title, by }) => ({ title, author: by })),
      ],
      ["get the titles of all articles", (rows) => [...titles(rows), "Rovers win", "United lose"]],
      ["get the first three headlines under News", (rows) => titles(rows).slice(0, 3)],
      ["get the dates of the articles under Sport", () => ["3 May 2026", "4 May 2026"]],
      ["how many articles are there under News", (rows) => rows.length],
      ["how many articles are there", (rows) => rows.length + 2],
      ["get the links in the footer", (_) => [{ text: "Imprint", url: "http://site.example/i" }]],
      ["get every link in the footer", (_) => [{ text: "Imprint", url: "http://site.example/i" }]],
      [
        "list the links under Most read",
        () => [
          { text: "Old news", url: "http://site.example/m" },
          { text: "Older news", url: "http://site.example/n" },
        ],
      ],
      ["get the titles of the articles under Weather", /Weather.*News.*Sport/s],
      ["get the headings under Sport", () => ["Rovers win", "United lose"]],
      ["how many headings are there in the sidebar", () => 1],
      ["get the articles that mention the ferry", /does not understand/],
      ["get the comments", /comment/],
    ],
  ),
  shape<Dish>(
    "a menu in sections, one of them with one dish",
    [dishes, moreDishes],
    (rows) => {
      const line = ({ dish, price }: Dish): string =>
        `<li><span class=dish>${dish}</span> <span class=cost>${price}</span></li>`;
      return `<h1>Menu</h1><section><h2>Starters</h2><ul>${each(rows, line)}</ul></section><section><h2>Mains</h2><ul>${line({ dish: "Trout", price: "12.00 €" })}${line({ dish: "Pie", price: "9.00 €" })}</ul></section><section><h2>Desserts</h2><ul>${line({ dish: "Cake", price: "5.00 €" })}</ul></section>`;
    },
    [
      ["get the prices", /Starters.*Mains.*Desserts/s],
      ["get all prices", (rows) => [...rows.map(({ price }) => price), "12.00 €", "9.00 €", "5.00 €"]],
      ["get the prices under Starters", (rows) => rows.map(({ price }) => price)],
      ["get the dishes under Desserts", () => ["Cake"]],
      ["list all dishes", (rows) => [...rows.map(({ dish }) => dish), "Trout", "Pie", "Cake"]],
      [
        "get the dish and price of each dish under Mains",
        () => [
          { dish: "Trout", price: "12.00 €" },
          { dish: "Pie", price: "9.00 €" },
        ],
      ],
    ],
  ),
  shape<Job>(
    "jobs, some without a salary",
    [jobs, moreJobs],
    (rows) =>
      `<main><h1>Jobs</h1><div role=list class=results>${each(rows, ({ title, company, salary }) => `<div role=listitem class=job><a href="/j/${title}" class=job-title>${title}</a><div class=company>${company}</div>${salary === "" ? "" : `<div class=salary>${salary}</div>`}<ul class=tags><li>Full time<li>On site</ul></div>`)}</div></main>`,
    [
      ["get the job titles", (rows) => rows.map(({ title }) => title)],
      ["get the title and company of each job", (rows) => rows.map(({ title, company }) => ({ title, company }))],
      [
        "get the titles and salaries of all jobs",
        (rows) => rows.map(({ title, salary }) => ({ title, salary: salary === "" ? null : salary })),
        /1 of \d .*salary/,
      ],
      ["how many jobs are there", (rows) => rows.length],
      ["get the companies", (rows) => rows.map(({ company }) => company)],
      ["get the last job title", (rows) => [rows.at(-1)?.title]],
    ],
  ),
  shape<string>(
    "a recipe",
    [ingredients, moreIngredients],
    (rows) =>
      `<article><h1>Pancakes</h1><p>Serves: 4</p><h2>Ingredients</h2><ul>${each(rows, (one) => `<li>${one}`)}</ul><h2>Method</h2><ol><li>Mix.<ul><li>Slowly<li>Well</ul><li>Fry.</ol></article><h2>Comments (2)</h2><div class=comment><b>Ada</b><p>Good!</p></div><div class=comment><b>Kim</b><p>Too thin.</p></div>`,
    [
      ["get the ingredients", (rows) => rows],
      ["list all ingredients", (rows) => rows],
      ["how many ingredients are there", (rows) => rows.length],
      ["get the first ingredient", (rows) => [rows[0]]],
      ["get the items under Ingredients", (rows) => rows],
      ["how many items are there under Method", () => 2],
      ["how many comments are there", () => 2],
      ["get the utensils", /utensil/],
      ["how many steps are there", /step/],
    ],
  ),
];
