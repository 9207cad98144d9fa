/** Recipes that need no browser, run as their reader runs them: with an address and a key in the environment, and a session. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPrism } from "@cloud-browser/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen, type LocalServer } from "../../servers/listen.ts";
import { startReplayService } from "../../servers/replay-service.ts";
import { startTroubledService } from "../../servers/troubled-service.ts";
import { getTold } from "./pages.ts";
import { makeEnv, runRecipe as run, startProxy, startRecipe } from "./start-recipe.ts";

const stack = new AsyncDisposableStack();
let troubled: LocalServer;
let folder: string;
let mock: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recipes-"));
  stack.defer(() => rm(folder, { recursive: true }));
  troubled = stack.use(await startTroubledService());
  mock = stack.adopt(await startPrism(), (prism) => prism.stop()).url;
});
afterAll(() => stack.disposeAsync());

const session = "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";

describe("with a mock", () => {
  test("scrapes a page into a file", async () => {
    const file = join(folder, "page.md");
    const result = await run("pages/scrape-to-file.ts", [session, file], makeEnv(mock));
    expect(result).toEqual({ code: 0, stderr: "", isAsTold: true, lines: ["98 bytes, # Harbour ferries"] });
    expect(await readFile(file, "utf8")).toContain("# Harbour ferries");
  });

  test("hands cookies on", async () => {
    const file = join(folder, "cookies.txt");
    const { code, lines, stderr, isAsTold } = await run("pages/hand-cookies-on.ts", [session, file], makeEnv(mock));
    expect([code, stderr, isAsTold, lines[0]]).toEqual([0, "", true, `Playwright 2, Puppeteer 2, curl: ${file}`]);
    expect(await readFile(file, "utf8")).toContain("ferries.example");
  });

  test("shows the progress of a run", async () => {
    const { code, lines, stderr, isAsTold } = await run(
      "runs/show-progress.ts",
      ["When does it leave?"],
      makeEnv(mock),
    );
    expect([code, stderr, isAsTold]).toEqual([0, "", true]);
    expect(lines).toEqual([
      "1. open_page",
      "function next_ferry",
      "",
      "The next ferry leaves at 14:20.",
      "done for 0.0431 USD",
    ]);
  });

  test("calls through a proxy", async () => {
    await using proxy = await startProxy();
    const env = { ...makeEnv(mock), HTTP_PROXY: proxy.url, NO_PROXY: "", no_proxy: "" };
    const result = await run("calls/go-through-a-proxy.ts", [session], env);
    expect(result).toEqual({ code: 0, stderr: "", isAsTold: true, lines: ["2 cookies, through the proxy"] });
    expect(proxy.count()).toBe(1);
  });
});

describe("with a service in trouble", () => {
  test("waits after 429 as long as the service asks for", async () => {
    const result = await run("calls/wait-after-429.ts", ["busy"], makeEnv(troubled.url));
    expect(result).toMatchObject({ code: 0, stderr: "", isAsTold: true });
  });

  test("does not wait for longer than it has time", async () => {
    const result = await run("calls/wait-after-429.ts", ["full"], makeEnv(troubled.url));
    expect(result).toMatchObject({ code: 75, stderr: "", lines: ["come back in 600 s"] });
  });

  test("logs by pino, and no key", async () => {
    const { code, lines, stderr, isAsTold } = await run(
      "calls/log-with-pino.ts",
      ["full"],
      makeEnv(troubled.url, "key"),
    );
    expect([code, stderr, isAsTold]).toEqual([1, "", true]);
    const logged = lines.map((line): { level: number; operation: string } => JSON.parse(line));
    expect(logged).toEqual([expect.objectContaining({ level: 50, name: "harbour", operation: "page_scrape" })]);
    expect(lines.join()).not.toContain("Bearer");
  });

  test("makes a span, and tells the service of it", async () => {
    let traceparent: string | string[] | undefined;
    await using echo = await listen(({ headers }, response) => {
      traceparent = headers["traceparent"];
      response.writeHead(200, { "content-type": "application/json" }).end('{"markdown":"# Harbour"}');
    });
    const { code, lines, stderr, isAsTold } = await run("calls/trace-with-opentelemetry.ts", ["s1"], makeEnv(echo.url));
    expect([code, stderr, isAsTold]).toEqual([0, "", true]);
    expect(lines.join()).toContain("page_scrape");
    const [, trace = "none", span = "none"] = /^00-(\w{32})-(\w{16})-01$/.exec(String(traceparent)) ?? [];
    expect(lines.join()).toContain(trace);
    expect(lines.join()).toContain(span);
  });

  test("keeps the evidence of a run whose stream breaks", async () => {
    const file = join(folder, "run.jsonl");
    const result = await run("runs/keep-evidence.ts", ["a task", file], makeEnv(troubled.url));
    const lines = ["the run: connection-lost", "the recording: connection-lost"];
    expect(result).toEqual({ code: 0, stderr: "", isAsTold: true, lines });
    expect(await readFile(file, "utf8")).toContain('{"end":"error"}');
  });

  test("lets a failure pass until its day", async () => {
    const { code, lines, stderr, isAsTold } = await run(
      "verdicts/expect-a-failure.ts",
      ["numbered"],
      makeEnv(troubled.url),
    );
    expect([code, stderr, isAsTold]).toEqual([0, "", true]);
    expect(lines).toEqual([
      expect.stringMatching(/^2099-12-31: 0, Conforming/),
      expect.stringMatching(/^2020-12-31: 1, Not conforming/),
      "  expired: cookies/cookie-name-type",
    ]);
  });

  test("judges a server in vitest", async () => {
    const config = join(folder, "vitest.config.mjs");
    const resolve = { conditions: ["@cloud-browser/source"] };
    const settings = { test: { include: ["verdicts/own-server.test.ts"] }, resolve, ssr: { resolve } };
    await writeFile(config, `export default ${JSON.stringify(settings)};`);
    const { code, stdout } = await vitest(config, {
      SERVER_URL: troubled.url,
      SERVER_KEY: "key",
      SERVER_SESSION: "numbered",
    });
    expect([code, stdout.trim()]).toEqual([0, expect.stringMatching(getTold("recipes/verdicts/own-server.test.ts"))]);
    const other = await vitest(config, { SERVER_URL: troubled.url, SERVER_KEY: "key", SERVER_SESSION: "new" });
    expect(other.code).toBe(1);
  });

  test("compares two releases, and holds the worse one back", async () => {
    await using next = await startTroubledService(true);
    const cli = fileURLToPath(new URL("../../../packages/conformance/src/cli.ts", import.meta.url));
    const command = join(folder, "conformance");
    await writeFile(
      command,
      // Sixty requests show each stated sentence once.
      `#!/bin/sh\n[ "$1" = run ] && set -- "$@" --max-requests 60\nexec "${process.execPath}" --conditions=@cloud-browser/source "${cli}" "$@"\n`,
      { mode: 0o755 },
    );
    const script = fileURLToPath(new URL("../../recipes/verdicts/compare-releases.sh", import.meta.url));
    const env = { PATH: `${folder}:${process.env["PATH"]}`, CLOUD_BROWSER_API_KEY: "key" };
    const compare = (after: string): Promise<Said> => say("sh", [script, troubled.url, after, "sid"], env);

    const worse = await compare(next.url);
    expect(worse.code).toBe(1);
    expect(worse.stdout).toContain("cookies/cookie-name-type");
    expect(worse.stdout.trimEnd()).toMatch(getTold("recipes/verdicts/compare-releases.sh"));
    const same = await compare(troubled.url);
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining("Open: ")]);
  });

  test("plays a replay in a page", async () => {
    await using replays = await startReplayService();
    const running = startRecipe("recordings/play-in-a-page.ts", { args: ["s1"], env: makeEnv(replays.url) });
    const [url] = await running.line(/http:\S+/);
    expect(await (await fetch(url)).text()).toContain("<video");
    expect((await fetch(`${url}replay`)).status).toBe(404); // not ready
    const { mp4_url }: { mp4_url: string } = await (await fetch(`${url}replay`)).json();
    expect((await fetch(mp4_url)).headers.get("content-length")).toBe("300000");
    running.kill("SIGTERM");
    expect((await running.result).isAsTold).toBe(true);
  });
});

interface Said {
  readonly code: number;
  readonly stdout: string;
}

/** Runs a program in the folder of the test. */
function say(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Said> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env: { ...process.env, NO_COLOR: "1", ...env } }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, stdout }),
    );
  });
}

/** Runs vitest with a configuration on the recipe for it. */
function vitest(config: string, env: Readonly<Record<string, string>>): Promise<Said> {
  const cli = createRequire(import.meta.url)
    .resolve("vitest/package.json")
    .replace("package.json", "vitest.mjs");
  const root = fileURLToPath(new URL("../../recipes", import.meta.url));
  return say(process.execPath, [cli, "run", "--config", config, "--root", root], env);
}
