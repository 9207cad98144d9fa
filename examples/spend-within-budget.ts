// Runs automations within a budget and within limits of time. Against a live service every start is billed.
//
//   node --conditions=@cloud-browser/source examples/spend-within-budget.ts
//
// Addresses and key come from CLOUD_BROWSER_BASE_URL, CLOUD_BROWSER_AUTOMATION_URL and CLOUD_BROWSER_API_KEY, the service's own word in
// the path of automations from CLOUD_BROWSER_AUTOMATION_WORD; without an address a mock is started.
import { ClientError, createCloudBrowser, createSpendLedger } from "@cloud-browser/client";
import { startPrism } from "@cloud-browser/conformance";

await using mock = process.env["CLOUD_BROWSER_BASE_URL"] ? undefined : await startPrism();
if (mock) console.log(`CLOUD_BROWSER_BASE_URL is not set: using a mock at ${mock.url}`);
const client = createCloudBrowser(mock && { apiKey: "any-key", baseUrl: mock.url, automationUrl: mock.url });

// The cost of a run comes with its last event: a run can't be stopped at a sum, but none is started that could exceed the budget.
const ledger = createSpendLedger({ budgetUsd: 0.1, reserveUsd: 0.05 });
const timeouts = { eventsMs: 60_000, totalMs: 600_000 }; // between two events, and in all
for (const pier of [1, 2, 3]) {
  try {
    await using stream = await client.automate(
      { query: `Find the next ferry from pier ${pier}.` },
      { ledger, timeouts },
    );
    const outcome = await stream.outcome();
    console.log(`pier ${pier}: ${outcome.type}`);
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== "budget") throw error;
    console.log(`pier ${pier}: not started`);
  }
}
console.log(`${ledger.spentUsd} US dollars for ${ledger.settled} runs, ${ledger.unknown} of unknown cost`);
