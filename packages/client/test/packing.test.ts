import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const script = join(root, "scripts/packed-by-pnpm.mjs");
const folders = ["spec", ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`)];

/** Runs the `prepack` script as pnpm does in a folder. */
function prepack(cwd: string): { readonly status: number | null; readonly stderr: string } {
  const env = { ...process.env, npm_execpath: "/anywhere/pnpm.cjs" };
  return spawnSync(process.execPath, [script], { cwd, env, encoding: "utf8" });
}

test("no published package is packed without what its manifest names", () => {
  const published = folders.filter((folder) =>
    readFileSync(join(root, folder, "package.json"), "utf8").includes("prepack"),
  );
  expect(published.length).toBeGreaterThanOrEqual(10);
  for (const folder of published) {
    const alone = mkdtempSync(join(tmpdir(), "packing-"));
    try {
      cpSync(join(root, folder, "package.json"), join(alone, "package.json"));
      const { status, stderr } = prepack(alone);
      expect({ folder, status, stderr }).toEqual({
        folder,
        status: 1,
        stderr: expect.stringMatching(/ is not built: .* missing\.\n.*npx turbo run build --filter=@cloud-browser\//),
      });
    } finally {
      rmSync(alone, { recursive: true });
    }
  }
});

test("a package that needs no build is packed", () => {
  expect(prepack(join(root, "spec"))).toMatchObject({ status: 0, stderr: "" });
});
