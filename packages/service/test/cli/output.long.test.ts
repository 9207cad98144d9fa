import { closeSync, existsSync, openSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { DataFolder } from "../../src/data-folder.ts";
import { ask, Place, startCommand, type Command } from "../command-line.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Waits until a service takes requests, which it does not write where anybody reads it; its address. */
async function readUrl(place: Place, service: Command): Promise<string> {
  const find = (): string => {
    if (service.process.exitCode !== null) throw new Error("the service has ended");
    return new DataFolder(place.data).address?.url ?? "";
  };
  await expect.poll(find, { timeout: 60_000 }).not.toBe("");
  return find();
}

/** Uses a service, then ends it; gives its exit code. */
async function useAndEnd(place: Place, service: Command): Promise<number | null> {
  const url = await readUrl(place, service);
  for (let times = 0; times < 3; times += 1) {
    expect(await ask({ url }, "GET", "/control/sessions")).toEqual({ sessions: [] });
  }
  service.process.kill("SIGTERM");
  return (await service.ended).code;
}

test("a full disk for the log does not end the service", async ({ skip }) => {
  skip(!existsSync("/dev/full"), "this platform has no /dev/full");
  await using place = new Place();
  const full = openSync("/dev/full", "w");
  expect(await useAndEnd(place, place.serve([], {}, full))).toBe(0);
  closeSync(full);
});

test("a service works when its standard output is closed", async () => {
  await using place = new Place();
  const service = place.serve();
  service.process.stdout?.destroy();
  expect(await useAndEnd(place, service)).toBe(0);
});

test("closing the pipe of --help is no error", async () => {
  const command = startCommand(["--help"]);
  command.process.stdout?.destroy();
  expect(await command.ended).toMatchObject({ code: 0, stderr: "" });
});
