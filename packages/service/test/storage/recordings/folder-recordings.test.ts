import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Recordings, serveRecording } from "@cloud-browser/recorder";
import { describe } from "vitest";
import { leaveBehind } from "../../../../recorder/test/recording/left-behind.ts";
import { FolderRecordingStore } from "../../../src/storage/recordings/folder-recording-store.ts";
import { testRecordingStore, type RecordingBackend } from "./recording-contract.ts";

const publicUrl = (): string => "http://127.0.0.1:1";

async function start(): Promise<RecordingBackend> {
  const folder = await mkdtemp(join(tmpdir(), "cb-folder-"));
  const opened: Recordings[] = [];
  return {
    open: async (clock) => {
      const secret = Buffer.alloc(32, 1);
      const recordings = await Recordings.open({ folder, clock, secret, publicUrl, sweepMs: 50 });
      opened.push(recordings);
      return new FolderRecordingStore(recordings);
    },
    leave: async (id, startedAtMs, moments) => void (await leaveBehind(folder, id, startedAtMs, moments)),
    get: async (address) => {
      const newest = opened.at(-1);
      if (!newest) throw new Error("none is open");
      return serveRecording(newest, new Request(address));
    },
    listFiles: (id) => readdir(join(folder, id, "replay")).catch(() => []),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((recordings) => recordings.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe("recordings in a folder", () => {
  testRecordingStore(start);
});
