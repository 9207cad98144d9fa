import { FunctionWorker, type Workplace } from "@cloud-browser/automation";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
await (await context.newPage()).setContent("<label>Name <input></label>");
const workplace: Workplace = {
  activePage: new ActivePage(context),
  emit: async () => undefined,
  onAction: () => undefined,
  checkUrl: async () => undefined,
  signal: AbortSignal.timeout(60_000),
};
const record = {
  function_id: crypto.randomUUID(),
  function_name: "fill_name",
  created_at: new Date().toISOString(),
  query: 'Fill "Name" with "Ada".',
  steps: [{ action: "fill" as const, target: { selectors: ["input"], label: "Name" }, value: "{{name}}" }],
  variables: [{ name: "name", value: "Ada" }],
};
const worker = new FunctionWorker(record, { name: "Grace" }, { model: undefined, keep: () => undefined });
await worker.work(record.query, workplace);
console.log(await workplace.activePage.current?.getByLabel("Name").inputValue()); // Grace
await pool.close();
