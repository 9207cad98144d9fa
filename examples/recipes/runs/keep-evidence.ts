// Records a run while it is read, and replays the recording, byte by byte as it came: node keep-evidence.ts "the task" run.jsonl
import { readFile, writeFile } from "node:fs/promises";
import { playRecording, readAutomationStream, recordStream } from "@cloud-browser/stream";

const [query = "", file = "run.jsonl"] = process.argv.slice(2);
const { CLOUD_BROWSER_AUTOMATION_URL: base, CLOUD_BROWSER_API_KEY: key = "" } = process.env;
const response = await fetch(`${base}/api/${process.env["CLOUD_BROWSER_AUTOMATION_WORD"] ?? "automation"}/start`, {
  method: "POST",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify({ query }),
});
if (!response.ok || !response.body) throw new Error(`no stream: ${response.status}`);

const recorder = recordStream(response.body, { secrets: [key] }); // secrets become x, and chunks keep their sizes
const live = await readAutomationStream(recorder.source).outcome();
await writeFile(file, recorder.recording());
console.log(`the run: ${live.type === "broken" ? live.error.code : live.type}`);

// On the desk of whoever repairs it: the same bytes, without the service. speed: 1 is real time.
const replayed = await readAutomationStream(playRecording(await readFile(file, "utf8"))).outcome();
console.log(`the recording: ${replayed.type === "broken" ? replayed.error.code : replayed.type}`);
