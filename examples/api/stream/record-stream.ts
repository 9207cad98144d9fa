import { playRecording, readAutomationStream, recordStream } from "@cloud-browser/stream";

const response = new Response(`data: {"type":"status","status":"a secret"}\n\ndata: {"type":"done"}\n\n`);
const recorder = recordStream(response, { secrets: ["a secret"] });
await readAutomationStream(recorder.source).outcome();

const text = recorder.recording(); // JSON lines, to be kept in a file
console.log(text.includes("a secret")); // false
console.log((await readAutomationStream(playRecording(text)).outcome()).type); // done
