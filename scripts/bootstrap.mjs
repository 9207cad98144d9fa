// The way into this repository on a machine with nothing but Node.js >= 20 and npm:
//
//   node scripts/bootstrap.mjs <command> [arguments]
//
// Installs what is missing with the pinned pnpm, then runs the command on the Node.js that the install brought.
// Plain JavaScript, because the machine's own Node.js may not run TypeScript.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const stampFile = join(root, "node_modules", ".installed-from");

/** What each command runs, as arguments of the repository's own Node.js or, with `pnpm` in front, of pnpm. */
const commands = {
  start: ["node", "--conditions=@cloud-browser/source", "packages/conformance/src/cli.ts", "run"],
  conformance: ["node", "--conditions=@cloud-browser/source", "packages/conformance/src/cli.ts"],
  serve: ["node", "--conditions=@cloud-browser/source", "packages/service/src/cli.ts", "serve"],
  "cloud-browser": ["node", "--conditions=@cloud-browser/source", "packages/service/src/cli.ts"],
  generate: ["node", "scripts/generate.ts"],
  "test:runtimes": ["pnpm", "exec", "turbo", "run", "test:runtimes", "--force", "--"],
  "test:generators": ["pnpm", "--filter", "@cloud-browser/spec", "run", "test:generators"],
  "test:cluster": ["pnpm", "--filter", "@cloud-browser/service", "run", "test:cluster"],
  "test:clients": ["pnpm", "--filter", "@cloud-browser/service", "run", "test:clients"],
  bench: ["pnpm", "--filter", "@cloud-browser/stream", "run", "bench"],
  test: ["pnpm", "run", "check"],
  "test:all": ["pnpm", "run", "check:all"],
  fix: ["pnpm", "run", "autofix"],
  release: ["pnpm", "run", "publish-packages"],
};

const [command = "", ...rest] = process.argv.slice(2);
const given = rest[0] === "--" ? rest.slice(1) : rest;
const steps = commands[command];
if (!steps) fail(`unknown command "${command}"; known: ${Object.keys(commands).join(", ")}`);

const [major] = process.versions.node.split(".").map(Number);
if (major < 20) fail(`Node.js 20 or later is needed to start, this is ${process.version}`);

installWhenNeeded();
const ownNode = join(root, "node_modules", "node", "bin", "node");
const [program, ...args] = steps;
const tests = command === "test" || command === "test:all";
if (tests) run(ownNode, ["scripts/test-results.mjs", "--forget"]);
if (command === "start" && given.length === 0 && !process.env.CLOUD_BROWSER_BASE_URL)
  args.push("--target", "prism,service");
process.exitCode = program === "pnpm" ? pnpm([...args, ...given]) : run(ownNode, [...args, ...given]);
if (tests) {
  // The counts of all packages are the last line.
  const counts = run(ownNode, ["scripts/test-results.mjs", ...(command === "test:all" ? ["--all"] : [])]);
  process.exitCode ||= counts;
}

/** Installs unless the last install was made from the same lockfile and manifests. */
function installWhenNeeded() {
  const stamp = fingerprint();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  console.error(`Installing dependencies with ${manifest.packageManager} …`);
  const startedAt = Date.now();
  const status = pnpm(["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"], "stderr");
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
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** Runs the pinned pnpm, which npx fetches when the machine does not have it. */
function pnpm(argv, stdout = "inherit") {
  return run("npx", ["--yes", manifest.packageManager, ...argv], stdout);
}

function run(file, argv, stdout = "inherit") {
  const stdio = ["inherit", stdout === "stderr" ? 2 : stdout, "inherit"];
  const env = { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" };
  const shell = process.platform === "win32" && file === "npx";
  const result = spawnSync(file, argv, { cwd: root, stdio, env, shell });
  if (result.error) fail(`${file} could not be started: ${result.error.message}`);
  return result.status ?? 3;
}

function fail(message, status = 2) {
  console.error(`bootstrap: ${message}`);
  process.exit(status);
}
