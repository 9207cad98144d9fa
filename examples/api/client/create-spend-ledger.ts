import { BudgetError, createCloudBrowser, createSpendLedger } from "@cloud-browser/client";

const client = createCloudBrowser();
const ledger = createSpendLedger({ budgetUsd: 0.1, reserveUsd: 0.08 });
const first = await client.automate({ query: "When does the next ferry leave from pier 3?" }, { ledger });
await first.outcome();
console.log(ledger.spentUsd, ledger.settled); // 0.0431 1

const second = client.automate({ query: "And from pier 4?" }, { ledger });
await second.catch((error: unknown) => console.log(error instanceof BudgetError)); // true
