// Runs the newest function again, with another value and without a model: node rerun-a-function.ts search_term="black tea"
import { readAutomationStream } from "@cloud-browser/stream";
import { control } from "../control.ts";

interface CreatedFunction {
  readonly function_id: string;
  readonly function_name: string;
}
const { functions } = await control<{ functions: readonly CreatedFunction[] }>("/functions");
const [newest] = functions;
if (!newest) throw new Error("there is no function: run a task first");

const variables = Object.fromEntries(process.argv.slice(2).map((pair) => pair.split(/=(.*)/s, 2)));
const { CLOUD_BROWSER_BASE_URL: base, CLOUD_BROWSER_API_KEY: key } = process.env;
const response = await fetch(`${base}/control/functions/${newest.function_id}/run`, {
  method: "POST",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify({ variables }),
});
const outcome = await readAutomationStream(response).outcome();
if (outcome.type === "done") console.log(newest.function_name, JSON.stringify(outcome.event.metadata));
else console.log(`ended with ${outcome.type}`);
