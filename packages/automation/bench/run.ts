/** Measures what a task costs beside the same actions as plain Playwright. Run: npm run bench [-- times] */
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import { median } from "@cloud-browser/testing/median.ts";
import { FunctionWorker, Planner, type FunctionRecord, type Workplace } from "../src/index.ts";

const times = Number(process.argv[2] ?? 30);
if (!Number.isInteger(times) || times < 1)
  throw new Error(`The number of times is ${process.argv[2]}; give 1 or more.`);

const task =
  'Fill "Name" with "Ada", fill "Mail" with "ada@ferries.example", select "Island" in "To", then click "Book". Click "Done".';

const form = `<!doctype html><title>Ferries</title><h1>Harbour ferries</h1>
<form onsubmit="document.title = 'Booked'; return false">
  <label>Name <input></label> <label>Mail <input type=email></label>
  <label>To <select><option>Harbour<option>Island</select></label> <button>Book</button>
</form><button type=button onclick="document.title += ' and done'">Done</button>
${Array.from({ length: 200 }, (_, row) => `<p>Ferry ${row} leaves at <a href="#${row}">pier ${row % 7}</a>.</p>`).join("\n")}`;

await using closing = new AsyncDisposableStack();
const pool = await BrowserPool.start({ maxBrowsers: 1 });
closing.defer(() => pool.close());
const { context } = await pool.open();
const page = await context.newPage();
const place: Workplace = {
  activePage: new ActivePage(context),
  emit: async () => undefined,
  onAction: () => undefined,
  checkUrl: async () => undefined,
  signal: new AbortController().signal,
};

const learned = await onForm(() => new Planner().work(task, place));
const record: FunctionRecord = {
  function_id: crypto.randomUUID(),
  function_name: learned.name,
  created_at: new Date().toISOString(),
  query: learned.task,
  ...learned,
};

/** The ways to do it, each by its name. */
const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  "plain Playwright": async () => {
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Mail").fill("ada@ferries.example");
    await page.getByLabel("To").selectOption("Island");
    await page.getByRole("button", { name: "Book" }).click();
    await page.getByRole("button", { name: "Done" }).click();
  },
  "the task, by the planner": () => new Planner().work(task, place),
  "its function": () => new FunctionWorker(record, {}, { model: undefined, keep: () => undefined }).work(task, place),
};

/** Does it on a fresh form, and checks that it was done. */
async function onForm<Result>(work: () => Promise<Result>): Promise<Result> {
  await page.setContent(form);
  const result = await work();
  const title = await page.title();
  if (title !== "Booked and done") throw new Error(`The form was not booked: its title is "${title}".`);
  return result;
}

const took = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
for (let time = 0; time < times + 2; time += 1) {
  for (const [name, work] of Object.entries(ways)) {
    await onForm(async () => {
      const begunMs = performance.now();
      await work();
      if (time >= 2) took.get(name)?.push(performance.now() - begunMs);
    });
  }
}

const plain = median(took.get("plain Playwright") ?? []);
console.log(`Five actions on a form with 200 paragraphs, ${times} times each, alternating.\n`);
console.log("| way | median, ms | ms an action | beside plain Playwright |\n|---|---|---|---|");
for (const [name, values] of took) {
  const ms = median(values);
  console.log(`| ${name} | ${ms.toFixed(1)} | ${(ms / 5).toFixed(1)} | ${(ms / plain).toFixed(2)} |`);
}
