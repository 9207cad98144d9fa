import { defineConfig } from "vitest/config";

/** What the tests of every package share: imports of workspace packages resolve to their sources, so no build is needed. */
export default defineConfig({
  resolve: { conditions: ["@cloud-browser/source"] },
  ssr: { resolve: { conditions: ["@cloud-browser/source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    reporters: [["default", { summary: false }]],
    slowTestThreshold: 10_000,
    // All packages are tested side by side on as few as two cores: a limit is for what hangs, not for what is slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
