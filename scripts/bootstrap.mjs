// The way into this repository on a machine with nothing but Node.js >= 20 and npm:
//
//   node scripts/bootstrap.mjs <command> [arguments]
//
// Installs what is missing with the pinned pnpm, then runs the command on the Node.js that the install brought.
// Plain JavaScript, because the machine's own Node.js may not run TypeScript.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chooseTests } from "./chosen-tests.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const stampFile = join(root, "node_modules", ".installed-from");

/** What each command runs, as arguments of the repository's own Node.js or, with `pnpm` in front, of pnpm. */
const commands = {
  start: ["node", "--conditions=@cloud-browser/source", "packages/conformance/src/cli.ts", "run"],
  conformance: ["node", "--conditions=@cloud-browser/source", "packages/conformance/src/cli.ts"],
  serve: ["node", "--conditions=@cloud-browser/source", "packages/service/src/cli.ts", "serve"],
  "cloud-browser": ["node", "--conditions=@cloud-browser/source", "packages/cli/src/cli.ts"],
  generate: ["node", "scripts/generate.ts"],
  "test:runtimes": ["pnpm", "exec", "turbo", "run", "test:runtimes", "--force", "--"],
  "test:generators": ["pnpm", "--filter", "@cloud-browser/spec", "run", "test:generators"],
  "test:cluster": ["pnpm", "--filter", "@cloud-browser/service", "run", "test:cluster"],
  "test:clients": ["pnpm", "--filter", "@cloud-browser/service", "run", "test:clients"],
  bench: ["pnpm", "--filter", "@cloud-browser/stream", "run", "bench"],
  docs: ["node", "--conditions=@cloud-browser/source", "docs/scripts/site.ts"],
  test: ["pnpm", "run", "check"],
  "test:all": ["pnpm", "run", "check:all"],
  fix: ["pnpm", "run", "autofix"],
  release: ["node", "release/src/make-cli.ts"],
  "publish-release": ["node", "release/src/publish-cli.ts"],
};

const [command = "", ...rest] = process.argv.slice(2);
const ownArgs = rest[0] === "--" ? rest.slice(1) : rest;
const steps = commands[command];
if (!steps) fail(`unknown command "${command}"; known: ${Object.keys(commands).join(", ")}`);

const [major] = process.versions.node.split(".").map(Number);
if (major < 20) fail(`Node.js 20 or later is needed to start, this is ${process.version}`);

/** Signal that ended the command before it was done. What it started gets it, too, and has the time to come to an end. */
let interruption;
await installWhenNeeded();
const ownNode = join(root, "node_modules", "node", "bin", "node");
const tests = command === "test" || command === "test:all";
process.exitCode = tests ? await test(command === "test:all") : await runSteps();

async function runSteps(options = []) {
  if (command === "serve") await buildConsole();
  const [program, ...args] = steps;
  const isFirstLook = command === "start" && ownArgs.length === 0 && !process.env.CLOUD_BROWSER_BASE_URL;
  if (isFirstLook) args.push("--target", "prism,service");
  return program === "pnpm" ? pnpm([...args, ...ownArgs, ...options]) : run(ownNode, [...args, ...ownArgs]);
}

/** Runs the tests and the other tasks that were chosen, or everything with a summary as the last lines. */
async function test(long) {
  const tasks = manifest.scripts["check:all"].split(" ").slice(2);
  const chosen = findChosenTests({ root, node: ownNode, tasks, long });
  if (chosen) {
    let status = 0;
    for (const { pnpm: argv, node, ...options } of chosen) {
      if (interruption) return 130;
      status ||= await (argv ? pnpm(argv) : run(ownNode, node, options));
    }
    return status;
  }
  const began = performance.now();
  const results = (...options) => run(ownNode, ["scripts/test-results.mjs", ...options]);
  await results("--forget");
  const status = await runSteps(["--summarize"]);
  if (interruption) console.log("\nInterrupted: what follows is what was known by then.");
  const seconds = String((performance.now() - began) / 1000);
  const counted = await results("--seconds", seconds, ...(long ? ["--all"] : []));
  return interruption ? 130 : status || counted;
}

/** Builds the console, which the service shows, unless it was built from the same sources. A service without it is one all the same. */
async function buildConsole() {
  const folder = join(root, "packages/console");
  const builtFrom = join(folder, "dist/.built-from");
  const sources = ["console", "client", "stream"].flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file)),
  );
  const settings = ["index.html", "vite.config.ts", "package.json"].map((name) => join(folder, name));
  const stamp = hashFiles([...settings, ...sources.sort()]);
  if (existsSync(builtFrom) && readFileSync(builtFrom, "utf8") === stamp) return;
  console.error("Building the console …");
  const vite = join(folder, "node_modules/vite/bin/vite.js");
  const status = await run(ownNode, [vite, "build", "--logLevel", "warn"], { cwd: folder, stdout: 2 });
  if (status === 0) writeFileSync(builtFrom, stamp);
  else console.error("bootstrap: the console could not be built; the service starts without it");
}

function findChosenTests(options) {
  try {
    return chooseTests(ownArgs, options);
  } catch (error) {
    return fail(error.message);
  }
}

/** Installs unless the last install was made from the same lockfile and manifests. */
async function installWhenNeeded() {
  const stamp = fingerprint();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  console.error(`Installing dependencies with ${manifest.packageManager} …`);
  const startedAt = Date.now();
  const status = await pnpm(["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"], {
    stdout: 2,
  });
  if (status !== 0) fail("the install failed; see its output above", status);
  writeFileSync(stampFile, stamp);
  console.error(`Installed in ${Math.round((Date.now() - startedAt) / 1_000)} s.`);
}

function fingerprint() {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/package.json`);
  const files = [
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "package.json",
    "spec/package.json",
    "release/package.json",
    "testing/package.json",
    ...packages,
  ];
  return hashFiles(files.map((file) => join(root, file)));
}

function hashFiles(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}

/** Runs the pinned pnpm, which npx fetches when the machine does not have it. */
function pnpm(argv, options) {
  return run("npx", ["--yes", manifest.packageManager, ...argv], options);
}

/** Runs a program to its end, also when this process is told to end. Resolves with the exit code. */
async function run(file, argv, { cwd = root, env = {}, stdout = "inherit" } = {}) {
  const child = spawn(file, argv, {
    cwd,
    stdio: ["inherit", stdout, "inherit"],
    env: { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1", ...env },
    shell: process.platform === "win32" && file === "npx",
  });
  const interrupt = (signal) => {
    interruption = signal;
    // A terminal sends SIGINT to all processes of its foreground. The service takes a signal that comes twice at once as one.
    if (signal !== "SIGINT" || command === "serve") child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, interrupt);
  // npm passes on no SIGHUP, and other signals to its shell only: what it started would go on without anybody who could stop it.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return;
    clearInterval(watch);
    interrupt("SIGTERM");
  }, 500).unref();
  try {
    const [status] = await once(child, "close");
    return status ?? (interruption === undefined ? 3 : 130);
  } catch (error) {
    return fail(`${file} could not be started: ${error.message}`);
  } finally {
    clearInterval(watch);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, interrupt);
  }
}

function fail(message, status = 2) {
  console.error(`bootstrap: ${message}`);
  process.exit(status);
}
