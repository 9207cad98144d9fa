import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isTerminalEvent, readAutomationStream, type StreamEvent, type StreamReport } from "../src/index.ts";
import { listCuts } from "./chunking.ts";

const folder = dirname(createRequire(import.meta.url).resolve("@cloud-browser/spec/examples/automation.200.done.sse"));
const files = readdirSync(folder).filter((name) => /^automation\.200\..*\.sse$/.test(name));

async function* give(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

test("knows the example streams of the contract", () => {
  expect(files.length).toBeGreaterThanOrEqual(5);
});

test.for(files)(
  "reads the example stream %s in both framings, and nothing in it is damaged or unlisted",
  async (file) => {
    const separated = readFileSync(join(folder, file));
    const byLine = Buffer.from(separated.toString().replaceAll("\n\n", "\n"));
    const want = separated
      .toString()
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line): unknown => JSON.parse(line.slice(6)));
    for (const { chunks } of [...listCuts(separated).slice(0, 2), ...listCuts(byLine).slice(0, 2)]) {
      const reports: StreamReport[] = [];
      const events: StreamEvent[] = [];
      const stream = readAutomationStream(give(chunks), { onReport: (report) => reports.push(report) });
      for await (const event of stream) events.push(event);
      expect({ events, reports }).toEqual({ events: want, reports: [] });
      expect(events.filter(isTerminalEvent)).toHaveLength(1);
      expect(await stream.outcome()).toEqual({ type: events.at(-1)?.type, event: events.at(-1) });
    }
  },
);
