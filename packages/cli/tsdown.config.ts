import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/cli.ts"],
  platform: "node",
  // Older versions of Node.js can parse it, and are told which version is needed.
  target: "node20",
  fixedExtension: false,
  dts: true,
  sourcemap: true,
});
