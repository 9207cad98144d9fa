import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts", "src/cookies.ts", "src/replay.ts", "src/runs.ts", "src/control.ts"],
  platform: "neutral",
  target: "es2022",
  dts: true,
  sourcemap: true,
  // `Symbol.asyncDispose` is newer than the `lib` of many a consumer.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
});
