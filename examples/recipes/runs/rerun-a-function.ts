// Runs the newest function again, with another value and without a model: node rerun-a-function.ts search_term="black tea"
import { createControl } from "@cloud-browser/client/control";

const control = createControl();
const { functions } = await control.functions.list();
const [newest] = functions;
if (!newest) throw new Error("there is no function: run a task first");

const variables = Object.fromEntries(process.argv.slice(2).map((pair) => pair.split(/=(.*)/s, 2)));
const { thread_id } = await control.functions.run(newest.function_id, { variables });
const run = await control.runs.follow(thread_id);
const outcome = await run.stream.outcome();
if (outcome.type === "done") console.log(newest.function_name, JSON.stringify(outcome.event.metadata));
else console.log(`ended with ${outcome.type}`);
