import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts", "src/cli.ts"],
  platform: "node",
  target: "node24",
  fixedExtension: false,
  dts: true,
  sourcemap: true,
});
