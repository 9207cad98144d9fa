import { performStep } from "@cloud-browser/automation";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
await (await context.newPage()).setContent("<table><tr><th>Pier<th>Leaves<tr><td>3<td>14:20</table>");

const { data } = await performStep(
  { action: "extract", name: "ferries", what: { kind: "table" } },
  {
    activePage: new ActivePage(context),
    variables: new Map(),
    checkUrl: async () => undefined,
    onAction: () => undefined,
    signal: AbortSignal.timeout(60_000),
  },
);
console.log(JSON.stringify(data)); // …"Leaves":"14:20"…
await pool.close();
