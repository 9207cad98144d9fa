import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EncodeQueue } from "../src/encoding/encode-queue.ts";
import { findFfmpeg } from "../src/encoding/ffmpeg.ts";
import { chunksIn } from "../src/journal/chunk.ts";
import { readState } from "../src/recordings/recording-state.ts";
import { Recording } from "../src/recordings/recording.ts";
import type { RecordingContext } from "../src/recordings/recording-context.ts";
import { leaveBehind, still } from "./recording/left-behind.ts";
import { makePlainJpeg } from "./recording/video.ts";

describe("a recording with a waiting replay", () => {
  let root: string;
  const closing = new AbortController();
  beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "cb-urgency-"))));
  afterEach(() => rm(root, { recursive: true }));

  /** An ffmpeg whose first run has begun and comes to no end: a busy machine has no time left for it. */
  async function writeStarvingFfmpeg(): Promise<{ program: string; marker: string }> {
    const [program, marker] = [join(root, "ffmpeg.sh"), join(root, "begun")];
    const real = await findFfmpeg(undefined, root);
    await writeFile(
      program,
      `#!/bin/sh\n[ -e "${marker}" ] || { : > "${marker}"; exec sleep 600; }\nexec "${real}" "$@"\n`,
      { mode: 0o755 },
    );
    return { program, marker };
  }

  async function leaveRecording(id: string, context: RecordingContext): Promise<Recording> {
    const red = await makePlainJpeg("red");
    const folder = await leaveBehind(
      root,
      id,
      0,
      [
        [137, red],
        [4_137, red],
        [8_137, still],
      ] as const,
      { chunkMs: 4_000 },
    );
    const state = await readState(folder);
    if (!state) throw new Error("It has a state.");
    return new Recording(folder, state, context);
  }

  it("waits for no encoder of low priority, its own included", async () => {
    const { program, marker } = await writeStarvingFfmpeg();
    const context: RecordingContext = {
      queue: new EncodeQueue(1),
      ffmpeg: async () => program,
      signal: closing.signal,
      now: () => 10_000,
      retentionMs: 1e6,
      retryDelaysMs: { first: 100, longest: 100 },
      onEncoderFailure: () => undefined,
      warn: () => undefined,
    };
    const [one, other] = [await leaveRecording("one", context), await leaveRecording("other", context)];
    const [chunk] = await chunksIn(one.folder);
    if (!chunk) throw new Error("It has a chunk.");
    const encoded = one.chunkIsComplete(chunk);
    await vi.waitUntil(() => existsSync(marker), { timeout: 20_000 });
    await other.finish();
    await vi.waitUntil(() => other.state.stage.name === "finished", { timeout: 20_000 });
    expect(one.state.stage.name).toBe("recording");
    await one.finish();
    await vi.waitUntil(() => one.state.stage.name === "finished", { timeout: 20_000 });
    await encoded;
  });
});

describe("a job of an encoder", () => {
  it("that becomes urgent while it waits runs as an urgent one", async () => {
    const queue = new EncodeQueue(1);
    const first = Promise.withResolvers<void>();
    void queue.add("a", false, () => first.promise);
    const waiting = queue.add("b", false, async ({ isUrgent }) => isUrgent);
    queue.prioritize("b");
    expect(await waiting).toBe(true);
    first.resolve();
  });

  it("is not restarted when it was urgent already, and rejects with its error", async () => {
    const queue = new EncodeQueue(1);
    const run = vi.fn<() => Promise<void>>().mockRejectedValue(new Error("broken"));
    const outcome = queue.add("a", true, run);
    queue.prioritize("a");
    await expect(outcome).rejects.toThrow("broken");
    expect(run).toHaveBeenCalledOnce();
  });

  it("waits for jobs of its kind: their concurrency is limited", async () => {
    const queue = new EncodeQueue(2);
    let running = 0;
    let most = 0;
    const run = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => queue.add(`${index}`, true, run)));
    expect(most).toBe(2);
  });

  it("that was aborted to become urgent is rejected when the queue is closed", async () => {
    const queue = new EncodeQueue(1);
    const outcome = queue.add(
      "a",
      false,
      ({ signal }) =>
        new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(new Error("ended")))),
    );
    queue.close();
    queue.prioritize("a");
    await expect(outcome).rejects.toThrow("the encoder queue was closed");
  });
});
