import { readAutomationStream, StreamError } from "@cloud-browser/stream";

const body = new Blob([`data: {"type":"status","status":"starting"}\n\n`]).stream(); // without a terminal event
const outcome = await readAutomationStream(body).outcome();
if (outcome.type === "broken") console.log(outcome.error instanceof StreamError, outcome.error.code); // true ended-early
