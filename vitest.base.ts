import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { longTests } from "./scripts/long-tests.mjs";
import { TestReporter } from "./scripts/test-reporter.ts";

// Settings of who runs the tests are not those of what they start, and no proxy stands before loopback. The processes of the tests inherit
// this one's environment.
for (const name of Object.keys(process.env)) if (/^(?:CLOUD_BROWSER|GITHUB|OTEL)_/.test(name)) delete process.env[name];
for (const name of ["NO_PROXY", "no_proxy"]) {
  process.env[name] = [process.env[name], "127.0.0.1", "localhost"].filter(Boolean).join(",");
}

/**
 * What the tests of every package share: imports of workspace packages resolve to their sources, so no build is needed.
 * `npm test` runs `*.test.ts`, the project "quick"; `npm run test:all` runs `*.long.test.ts`, too, the project "long". `vitest run <file>`
 * finds a file of either.
 */
export default defineConfig({
  resolve: { conditions: ["@cloud-browser/source"] },
  ssr: { resolve: { conditions: ["@cloud-browser/source"] } },
  test: {
    projects: [
      {
        extends: true,
        // The files of a worker share their modules: loading them again for each file takes a quarter of the time.
        test: {
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.long.test.ts"],
          isolate: false,
          setupFiles: [fileURLToPath(new URL("scripts/test-setup.ts", import.meta.url))],
        },
      },
      {
        extends: true,
        test: { name: "long", include: ["test/**/*.long.test.ts"], exclude: [...longTests(process.cwd()).left] },
      },
    ],
    // A share of the long tests of a package may be none.
    passWithNoTests: process.env["LONG_TESTS_SHARE"] !== undefined,
    reporters: [["default", { summary: false }], new TestReporter()],
    // What tests that pass print would bury the failures of others.
    silent: "passed-only",
    // Most tests wait for servers, browsers or compilers: a core is left idle when no other file runs meanwhile.
    maxWorkers: 2,
    slowTestThreshold: 10_000,
    // All packages are tested side by side on as few as two cores, and other work beside them: a limit is for what hangs, not for what is slow.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
