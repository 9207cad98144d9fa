import { ChildProcess } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startChromium } from "../../src/chromium/chromium-process.ts";

interface Refusing {
  readonly _handle: { spawn: (options: unknown) => number };
  spawn(options: { readonly file: string }): number;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "refused-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** The system refuses to start a program, as it does without room for it: what comes of that is Node's. */
function refuse(code: "EMFILE" | "EACCES" | "EAGAIN" | "ENOMEM" | "ENOSPC" | "EIO", program: RegExp): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its handle is not in its types
  const prototype = ChildProcess.prototype as unknown as Refusing;
  const spawn = Reflect.get(prototype, "spawn");
  vi.spyOn(prototype, "spawn").mockImplementation(function (this: Refusing, options) {
    const { _handle: handle } = this;
    if (program.test(options.file)) handle.spawn = () => -constants.errno[code];
    return spawn.call(this, options);
  });
}

const binary = { executable: "/bin/false", env: {}, origin: "configured" } as const;

test.each([
  ["EMFILE", /false/u, "raise the limits"],
  ["EAGAIN", /false/u, "raise the limits"],
  ["EACCES", /false/u, "that Chromium may be run"],
  ["ENOSPC", /false/u, "that Chromium may be run"],
  ["EIO", /false/u, "that Chromium may be run"],
  ["ENOMEM", /false/u, "that Chromium may be run"],
  ["EMFILE", /sh$/u, "raise the limits"],
  ["EACCES", /sh$/u, "that Chromium may be run"],
  ["ENOMEM", /sh$/u, "that Chromium may be run"],
] as const)(
  "a start that the system refuses with %s (%s) says so, and leaves nothing",
  async (code, program, advice) => {
    refuse(code, program);
    await expect(startChromium({ binary, sandbox: "on" })).rejects.toMatchObject({
      code: "browser-missing",
      message: expect.stringMatching(`^Chromium could not be started \\(${code}\\); .*${advice}`),
    });
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), { timeout: 20_000 });
  },
);

test("a folder of temporary files that is not there is said", async () => {
  vi.stubEnv("TMPDIR", join(folder, "none"));
  await expect(startChromium({ binary })).rejects.toMatchObject({
    code: "browser-missing",
    message: expect.stringMatching(/^Chromium could not be started \(ENOENT\); .*TMPDIR/u),
  });
});
