import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../server.ts";
import { boundFile, faults, Project, guideExample, toldOfFaults, type Ended, type TestReport } from "./bound.ts";

let project: Project;
let server: TestServer;
beforeAll(async () => {
  project = new Project();
  server = await startServer(faults);
});
afterAll(async () => {
  project[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

interface Suite {
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly results: readonly {
        readonly status: string;
        readonly errors: readonly { readonly message: string }[];
        readonly annotations: readonly { readonly type: string; readonly description?: string }[];
      }[];
    }[];
  }[];
  readonly suites?: readonly Suite[];
}

const program = fileURLToPath(new URL("cli.js", import.meta.resolve("@playwright/test/package.json")));

/** Runs a test file, and tells what its tests came to. */
async function playwright(
  text: string,
  { env = {}, flags = [] }: { env?: Record<string, string>; flags?: readonly string[] } = {},
): Promise<Ended & { reports: Record<string, TestReport[]> }> {
  project.write("bound.spec.ts", text);
  const ended = await project.run([program, "test", "--reporter=json", ...flags], env);
  const { suites = [] }: { suites?: readonly Suite[] } = JSON.parse(ended.output.slice(ended.output.indexOf("{")));
  return { ...ended, reports: Object.fromEntries(suites.flatMap(toldIn)) };
}

function toldIn({ specs, suites = [] }: Suite): [string, TestReport[]][] {
  const reports = specs.map(({ title, tests }): [string, TestReport[]] => [
    title,
    tests.flatMap(({ results }) =>
      results.map(({ status, errors, annotations }) => ({
        status: status === "passed" || status === "skipped" ? status : "failed",
        text: [
          ...errors.map(({ message }) => message),
          ...annotations.map(({ type, description }) => `${type}: ${description}`),
        ].join("\n"),
      })),
    ),
  ]);
  return [...reports, ...suites.flatMap(toldIn)];
}

/** Expected results for the server with faults, each repeated `count` times. */
function times(count: number): Record<string, unknown> {
  const reports = Object.entries(toldOfFaults).map(([name, { status, text }]) => [
    name,
    Array.from({ length: count }, () => ({ status, text: expect.stringContaining(text) })),
  ]);
  return Object.fromEntries(reports);
}

describe("Playwright Test", () => {
  test("tells each check as a test of its own, of one run, though it starts a worker after each failure", async () => {
    const { code, reports, runs } = await playwright(boundFile("playwright"), { env: { TARGET: server.url } });
    expect(reports).toEqual(times(1));
    expect({ code, runs }).toEqual({ code: 1, runs: 1 });
  });

  test("makes one run for each repetition, retries nothing, and runs nothing twice at the same time", async () => {
    const flags = ["--repeat-each=2", "--retries=2", "--fully-parallel", "--workers=2"];
    const { reports, runs } = await playwright(boundFile("playwright"), { env: { TARGET: server.url }, flags });
    expect(reports).toEqual(times(2));
    expect(runs).toBe(2);
  });

  test("fails when the run can't be made, and says why", async () => {
    const { code, reports } = await playwright(boundFile("playwright"), { env: { TARGET: "http://127.0.0.1:1" } });
    expect(code).toBe(1);
    const [first, ...others] = Object.values(reports).flat();
    expect(first).toEqual({ status: "failed", text: expect.stringContaining("no connection to http://127.0.0.1:1") });
    expect(others.map(({ status }) => status)).not.toContain("passed");
  });

  test("judges a server that conforms by the example of the guide", async () => {
    await using conforming = await startServer();
    const { code, reports } = await playwright(guideExample("In Playwright Test", conforming.url));
    expect(code).toBe(0);
    expect(reports["cookies/status-200"]).toMatchObject([{ status: "passed" }]);
  });
});
