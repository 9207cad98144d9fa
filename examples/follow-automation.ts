// Starts an automation and follows it to its end. Against a live service every start is billed.
//
//   node --conditions=@cloud-browser/source examples/follow-automation.ts ["the task"]
//
// Addresses and key come from CLOUD_BROWSER_BASE_URL, CLOUD_BROWSER_AUTOMATION_URL and CLOUD_BROWSER_API_KEY, the service's own word in
// the path of automations from CLOUD_BROWSER_AUTOMATION_WORD; without an address a mock is started.
import { createCloudBrowser } from "@cloud-browser/client";
import { startPrism } from "@cloud-browser/conformance";

await using mock = process.env["CLOUD_BROWSER_BASE_URL"] ? undefined : await startPrism();
if (mock) console.log(`CLOUD_BROWSER_BASE_URL is not set: using a mock at ${mock.url}`);
const client = createCloudBrowser(mock && { apiKey: "any-key", baseUrl: mock.url, automationUrl: mock.url });
const query = process.argv[2] ?? "Find the departure time of the next ferry from pier 3.";

await using stream = await client.automate({ query });
let text = "";
for await (const event of stream) {
  if (event.type === "status") console.log(`status: ${event.status}`);
  if (event.type === "tool_start") console.log(`tool: ${event.name}`);
  if (event.type === "function_uploaded") console.log(`function: ${event.function_name} (${event.function_id})`);
  if (event.type === "text_delta") text += event.delta;
}
console.log(`answer: ${text}`);

const outcome = await stream.outcome();
if (outcome.type === "done") console.log(`done, for ${outcome.event.total_cost_usd} US dollars`);
else {
  console.error(`the run ended with ${outcome.type}`);
  process.exitCode = 1;
}
