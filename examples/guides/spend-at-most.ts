import { ClientError, createCloudBrowser, createSpendLedger } from "@cloud-browser/client";

const client = createCloudBrowser();
const ledger = createSpendLedger({ budgetUsd: 1, reserveUsd: 0.2 });
try {
  await using stream = await client.automate(
    { query: "Find the next ferry from pier 3." },
    { ledger, timeouts: { firstEventMs: 60_000, bytesMs: 120_000, totalMs: 900_000 } },
  );
  console.log((await stream.outcome()).type, ledger.spentUsd);
} catch (error) {
  if (!(error instanceof ClientError) || error.code !== "budget") throw error;
  console.log("the budget is spent");
}
