import { readAutomationStream } from "@cloud-browser/stream";

const response = new Response(
  `data: {"type":"text_delta","delta":"At 14:20."}\n\ndata: {"type":"done","total_cost_usd":0.04}\n\n`,
  { headers: { "content-type": "text/event-stream" } },
);
const stream = readAutomationStream(response, { timeouts: { totalMs: 900_000 } });
for await (const event of stream) if (event.type === "text_delta") console.log(event.delta); // At 14:20.

const outcome = await stream.outcome(); // exactly one: done, error, timeout, cancelled, or broken
console.log(outcome.type === "done" && outcome.event.total_cost_usd); // 0.04
