import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readAutomationStream, type AutomationSource } from "../../src/index.ts";
import { playRecording } from "../../src/recording/player.ts";
import { recordStream } from "../../src/recording/recorder.ts";

const example = readFileSync(new URL("../../../../spec/examples/automation/automation.200.done.sse", import.meta.url));

async function readTypes(source: AutomationSource): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of readAutomationStream(source)) types.push(type);
  return types;
}

test("reads the same events from the source, from its recorder and from the recording, cut anew", async () => {
  const due = await readTypes(new Response(example).body ?? new ReadableStream());
  const recorder = recordStream(new Response(example));
  expect(due).toContain("done");
  expect(await readTypes(recorder.source)).toEqual(due);
  for (const chunkBytes of [undefined, 1, 7, 1000]) {
    expect(await readTypes(playRecording(recorder.recording(), { chunkBytes }))).toEqual(due);
  }
});

test("records that the reader left at the terminal event, and lets it distinguish a failed source from an early end", async () => {
  const recorder = recordStream(new Response(example));
  await readAutomationStream(recorder.source).outcome();
  expect(recorder.recording()).toContain('{"end":"left"}');
  const early = recorder.recording().split("\n").slice(0, 1).join("\n");
  const outcomes = [];
  for (const end of ["complete", "error"]) {
    outcomes.push(await readAutomationStream(playRecording(`${early}\n{"end":"${end}"}`)).outcome());
  }
  expect(outcomes).toMatchObject([{ error: { code: "ended-early" } }, { error: { code: "connection-lost" } }]);
});
