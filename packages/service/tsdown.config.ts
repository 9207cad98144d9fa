import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", cli: "src/cli.ts", commands: "src/cli/commands.ts" },
  platform: "node",
  // Older versions of Node.js can parse it, and are told which version is needed.
  target: "node20",
  fixedExtension: false,
  dts: true,
  sourcemap: true,
});
