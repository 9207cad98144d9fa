// A task in plain words becomes events, data and a function; the function does it again with another value.
//
//   node --conditions=@cloud-browser/source examples/live-automation.ts
//
// Needs nothing: the service and the shop that it visits run within the program, and no model is asked.
import { createCloudBrowser } from "@cloud-browser/client";
import { startService } from "@cloud-browser/service";
import { startShop } from "./servers/shop.ts";

await using shop = await startShop();
await using service = await startService({ allow: [new URL(shop.url).host] });
const client = createCloudBrowser({ baseUrl: service.url, automationUrl: service.url, apiKey: service.apiKey });

const query = `Open ${shop.url}, search for green tea, extract the table`;
const stream = await client.automate({ query });
for await (const event of stream) {
  if (event.type === "tool_result") console.log(String(event.content).replace(shop.url, "the shop"));
}
const outcome = await stream.outcome();
if (outcome.type !== "done") throw new Error(`the run ended with ${outcome.type}`);
const { function_id, total_cost_usd, metadata } = outcome.event;
console.log(`${JSON.stringify("data" in metadata && metadata.data)} for ${total_cost_usd} US dollars`);

const again = await service.runFunction(function_id ?? "", { search_term: "black tea" });
console.log(JSON.stringify(again.type === "done" && "data" in again.metadata && again.metadata.data));
