import { createCloudBrowser } from "@cloud-browser/client";

await using stream = await createCloudBrowser().automate({ query: "When does the next ferry leave from pier 3?" });
let answer = "";
for await (const event of stream) if (event.type === "text_delta") answer += event.delta;
console.log(answer); // The next ferry leaves at 14:20.

const outcome = await stream.outcome();
if (outcome.type === "done") console.log(outcome.event.total_cost_usd); // 0.0431
