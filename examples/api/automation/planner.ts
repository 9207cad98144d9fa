import { Planner, type Workplace } from "@cloud-browser/automation";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
const page = await context.newPage();
await page.setContent(`<label>Name <input></label><button onclick="document.title = 'Hello'">Greet</button>`);

const workplace: Workplace = {
  activePage: new ActivePage(context),
  emit: async () => undefined, // receives the events of the run
  onAction: () => undefined,
  checkUrl: async () => undefined, // rejects to refuse an address
  signal: AbortSignal.timeout(60_000),
};
const { steps, variables } = await new Planner().work('Fill "Name" with "Ada", then click "Greet".', workplace);
console.log(steps.map(({ action }) => action).join(", "), variables.length); // fill, click 1
console.log(await page.title()); // Hello
await pool.close();
