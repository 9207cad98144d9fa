import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/mcp.ts", "src/ai-sdk.ts", "src/json-schema.ts", "src/cli.ts"],
  platform: "node",
  target: "node20",
  fixedExtension: false,
  dts: true,
  sourcemap: true,
});
