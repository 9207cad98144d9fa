import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** What a consumer's bundler makes of an import from the built package: minified, gzipped, in bytes. */
async function measureSize(names: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export ${names} from "./dist/index.js"`,
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}

// Of each, 0.3 kB are the sentences of errors, 0.3 kB guard callbacks and check what is passed, and 2.5 kB read lines whose layout came before without JSON.parse; of all, 1.7 kB find secrets of recordings however they are written.
const budgets = [
  { names: "{ createAutomationDecoder }", most: 5_310 },
  { names: "{ readAutomationStream }", most: 7_560 },
  { names: "*", most: 11_180 },
];
test.for(budgets)("import $names costs at most $most bytes", async ({ names, most }) => {
  const size = await measureSize(names);
  expect(size).toBeGreaterThan(1_000);
  expect(size).toBeLessThanOrEqual(most);
});
