import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    vitest: "src/bindings/vitest.ts",
    "node-test": "src/bindings/node-test.ts",
    playwright: "src/bindings/playwright.ts",
    cli: "src/cli.ts",
  },
  platform: "node",
  // Older versions of Node.js can parse it, and are told which version is needed.
  target: "node20",
  fixedExtension: false,
  dts: true,
  sourcemap: true,
});
