import { defineConfig } from "vitest/config";

/** What the tests of every package share: imports of workspace packages resolve to their sources, so no build is needed. */
export default defineConfig({
  resolve: { conditions: ["@cloud-browser/source"] },
  ssr: { resolve: { conditions: ["@cloud-browser/source"] } },
  test: { include: ["test/**/*.test.ts"], reporters: ["default"], watch: false },
});
