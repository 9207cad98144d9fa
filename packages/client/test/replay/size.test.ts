import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** What a bundler for browsers makes of an import: files, and bytes minified and gzipped, without the error class. */
async function readBundle(names: string): Promise<{ files: string[]; size: number }> {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export ${names} from "./src/replay.ts"`,
      resolveDir: fileURLToPath(new URL("../..", import.meta.url)),
    },
    external: ["*/client-error.ts"],
    bundle: true,
    minify: true,
    metafile: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const size = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
  return { files: inputs.map(([path]) => basename(path)).sort(), size };
}

// Of waits and downloads, 0.2 kB check what is passed, and 0.1 kB make reasons of aborts safe to log; of downloads, 1 kB make safe to log what a stream of the caller's fails with, and 0.6 kB keep permissions and remove what a killed download left.
const budgets = [
  { names: "{ parsePlaylist, segmentsBetween }", most: 1_550, files: ["playlist.ts"] },
  {
    names: "{ waitForReplay }",
    most: 1_335,
    files: ["abortable.ts", "availability.ts", "redaction.ts", "safe-signal.ts", "transfer-options.ts"],
  },
  { names: "{ downloadReplay }", most: 6_400 },
  { names: "*", most: 9_870 },
];
test.for(budgets)("import $names costs at most $most bytes", async ({ names, most, files }) => {
  const bundle = await readBundle(names);
  expect(bundle.size).toBeGreaterThan(500);
  expect(bundle.size).toBeLessThanOrEqual(most);
  expect(bundle.files).toEqual(files ?? bundle.files);
});
