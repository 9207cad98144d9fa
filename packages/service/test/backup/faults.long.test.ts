/** Each call to the system of a backup and of a restore fails: what is left is nothing, or all of it, and the next one works. */
import { existsSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCommand } from "../command-line.ts";
import type { FaultKind } from "../faults/fault.ts";
import { faultyFromStart } from "../faults/faulty-service.ts";
import { triedPlaces } from "../faults/tried-places.ts";
import { command, findNames } from "./operator.ts";
import { SampleFolder, sampleKey } from "./sample-folder.ts";

/** What is asked within the service is tried there. */
const places = Object.keys(triedPlaces).filter(
  (place) => /\/backup\/|copy-database/u.test(place) && !place.includes("records-copies"),
);

let sample: SampleFolder;
beforeAll(async () => {
  sample = new SampleFolder();
  await command("backup", sample.at("whole"), "--data", sample.folder.path);
});
afterAll(() => sample[Symbol.dispose]());

/** Kinds of faults, one for each place and command, so that all are met: each takes a process. */
const kinds: readonly FaultKind[] = ["ENOSPC", "EIO", "EMFILE", "EACCES", "EROFS"];

describe.each(["backup", "restore"])("%s", (name) => {
  test.each(places.map((place, index) => [place, kinds[index % kinds.length] ?? "EIO"] as const))(
    "%s %s",
    async (place, kind) => {
      const target = sample.at("made");
      const args =
        name === "backup"
          ? ["backup", target, "--data", sample.folder.path]
          : ["restore", sample.at("whole"), "--data", target];
      const { code, stdout, stderr } = await startCommand(args, faultyFromStart({ place, kind })).ended;
      expect([0, 2, 3]).toContain(code);
      expect(stderr).toMatch(code === 0 ? /^$/ : /^cloud-browser: .+\n$/);
      expect(stdout + stderr).not.toMatch(new RegExp(`internal error|${sampleKey}|    at `, "u"));
      const isMade = existsSync(sample.at("made", name === "backup" ? "backup.json" : "records.sqlite"));
      expect([isMade, existsSync(target)]).toEqual([code === 0, code === 0]);
      // What can't be removed is removed by the next one.
      expect(findNames(sample.root, /partial/).length === 0 || place.endsWith(" rm")).toBe(true);
      rmSync(target, { recursive: true, force: true });
    },
  );
});
