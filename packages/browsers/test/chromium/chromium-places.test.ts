import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findChromium } from "../../src/chromium/chromium-binary.ts";
import { adviseChromium, listChromiumPlaces, type Machine } from "../../src/chromium/chromium-places.ts";

const home = mkdtempSync(join(tmpdir(), "places-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const machines: readonly Machine[] = [
  { platform: "darwin", arch: "arm64", path: ["/opt/homebrew/bin"], home },
  { platform: "darwin", arch: "x64", path: [], home },
  { platform: "linux", arch: "arm64", path: [join(home, "bin"), "/snap/bin", "relative", ""], home },
  { platform: "linux", arch: "arm", path: [], home },
  { platform: "win32", arch: "x64", path: [], home },
];

/** Puts a program where a machine would have it. */
function install(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
}

describe.each(machines)("on $platform $arch", (machine) => {
  test("the error says that there is none, and how one is installed there", async () => {
    const elsewhere = { ...machine, path: [] };
    const isHere = listChromiumPlaces(elsewhere).some((place) => !place.startsWith(home) && isReadable(place));
    const outcome = await findChromium({}, elsewhere).then(
      ({ origin }) => origin,
      (error: unknown) => (error instanceof Error ? error.message : ""),
    );
    // A machine that has a Chromium of the system finds that.
    const advice = isHere ? "found" : adviseChromium(machine);
    expect(outcome).toContain(advice);
  });

  test("what the advice names is not a path", () => {
    expect(adviseChromium(machine)).toMatch(machine.platform === "win32" ? /WSL/ : /install/);
  });
});

test.each([
  [machines[0], "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
  [machines[2], "bin/chromium"],
] as const)("a Chromium of the system is found: %#", async (machine, file) => {
  install(join(home, file));
  expect(await findChromium({}, machine)).toMatchObject({ executable: join(home, file), origin: "found" });
});

test("that of Playwright comes before those of the system", async () => {
  const downloaded = join(home, "ms-playwright/chrome");
  install(downloaded);
  for (const machine of machines.filter(({ platform }) => platform !== "win32")) {
    expect((await findChromium({}, { ...machine, downloaded })).executable).toBe(downloaded);
  }
});

test("no place is one of snap, none is relative, and every one is asked once", () => {
  for (const machine of machines) {
    const places = listChromiumPlaces(machine);
    expect(places.filter((place) => place.startsWith("/snap/") || !place.startsWith("/"))).toEqual([]);
    expect(new Set(places).size).toBe(places.length);
  }
});

test("the advice names the version of playwright-core that is a dependency", () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const advice = adviseChromium({ platform: "darwin", arch: "arm64" });
  expect(advice).toContain(`playwright-core@${dependencies["playwright-core"]} install`);
});

function isReadable(file: string): boolean {
  try {
    return readFileSync(file).length > 0;
  } catch {
    return false;
  }
}
