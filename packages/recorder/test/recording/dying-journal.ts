// A process that writes a journal, argument: its folder, until it is killed; 130 milliseconds of the session pass in a few.
// Prints the moment of each picture once that is safe.
import { writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Journal } from "../../src/journal/journal.ts";
import { writeState } from "../../src/recordings/recording-state.ts";
import { makePlainJpeg } from "./video.ts";

const [, , folder = ""] = process.argv;
const viewport = { width: 320, height: 180 };
await mkdir(folder);
await writeState(folder, {
  version: 1,
  sessionId: "one",
  startedAtMs: Date.now(),
  viewport,
  stage: { name: "recording" },
});
const [red, blue] = await Promise.all([makePlainJpeg("red"), makePlainJpeg("blue")]);
const journal = new Journal({ folder, onChunk: () => undefined, chunkMs: 8_000 });
for (let atMs = 50; ; atMs += 130) {
  await journal.picture(atMs, atMs % 20 === 0 ? red : blue);
  writeSync(1, `${atMs}\n`);
  await sleep(2);
}
