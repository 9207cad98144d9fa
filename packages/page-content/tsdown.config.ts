import { mkdir, readFile, writeFile } from "node:fs/promises";
import { defineConfig } from "tsdown";
import { bundlePageScript } from "./src/in-page/bundle.ts";

export default defineConfig({
  // The worker is a file of its own, because a thread is started from it.
  entry: { index: "src/index.ts", "validation-worker": "src/structure/schema/validation-worker.ts" },
  platform: "node",
  // Older versions of Node.js can parse it, and are told which version is needed.
  target: "node20",
  fixedExtension: false,
  dts: true,
  sourcemap: true,
  // What `#page-script` is in the built package: the script that runs in pages, bundled, as `src/in-page/bundle.ts` gives it.
  deps: { neverBundle: ["#page-script"] },
  hooks: {
    "build:done": async ({ options }) => {
      const folders = new Set<string>();
      const script = JSON.stringify(
        await bundlePageScript((path) => {
          const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
          if (folder !== undefined) folders.add(folder);
        }),
      );
      await mkdir(options.outDir, { recursive: true });
      await writeFile(`${options.outDir}/page-script.js`, `export default async () => ${script};\n`);
      await writeFile(`${options.outDir}/bundled.json`, `${JSON.stringify(await describePackages(folders))}\n`);
    },
  },
});

/** Tells of packages what a release lists of them. */
async function describePackages(folders: Iterable<string>): Promise<object[]> {
  const manifests = [...folders].map(async (folder) => JSON.parse(await readFile(`${folder}/package.json`, "utf8")));
  return (await Promise.all(manifests)).map(({ name, version, license }) => ({ name, version, identifier: license }));
}
