// The step of `action.yml` that judges: inputs come as INPUT_* in the environment, outputs go to the file $GITHUB_OUTPUT.
// The summary and the annotations are written by the command itself.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Inputs that are flags of the same name. */
const flags = [
  "automation-word",
  "service-word",
  "session-command",
  "end-session-command",
  "site-host",
  "config",
  "query",
  "profile",
  "max-runs",
  "max-unintended-runs",
  "max-cost-usd",
  "only",
  "skip",
  "reading",
  "seed",
  "max-requests",
  "concurrency",
  "rate",
  "timeout",
  "replay-wait",
  "expected-failures",
];

/** Inputs that the command reads from its environment: a process list shows its arguments. */
const variables = ["base-url", "automation-url", "session-id", "ended-session-id", "api-key"];

const input = (name) => (process.env[`INPUT_${nameVariable(name)}`] ?? "").trim();
const out = input("out") || "reports";
const requestedFormats = (input("report") || "html,json,junit,markdown").split(",").map((format) => format.trim());
const formats = [...new Set([...requestedFormats, "json"])].filter((format) => format !== "").join(",");

const args = [
  ...flags.flatMap((name) => (input(name) === "" ? [] : [`--${name}=${input(name)}`])),
  ...(input("strict") === "true" ? ["--strict"] : []),
];
const report = join(out, "report.json");
// What an earlier step has left there is not the report of this run.
rmSync(report, { force: true });
const exitCode = judge([...args, `--out=${out}`, `--report=${formats}`]);
writeOutputs({ "exit-code": exitCode, ...readOutputs(report) });
process.exitCode = exitCode;

function nameVariable(name) {
  return name.toUpperCase().replaceAll("-", "_");
}

function judge(judgeArgs) {
  const version = input("version");
  const name = `@cloud-browser/conformance${version === "" ? "" : `@${version}`}`;
  const call = ["--yes", "-p", name, "conformance", "run", ...judgeArgs];
  // On Windows npx is a batch file, which would need a shell, and read the arguments as its commands.
  const script = join(dirname(process.execPath), "node_modules", "npm", "bin", "npx-cli.js");
  const [command, first] = process.platform === "win32" ? [process.execPath, [script]] : ["npx", []];
  const { status, error } = spawnSync(command, [...first, ...call], { stdio: "inherit", env: environment() });
  if (error) console.log(`::error title=Conformance::npx could not be started (${error.code})`);
  return status ?? 3;
}

/** The environment of the step without the inputs, and with those that the command reads from there. */
function environment() {
  const otherVariables = Object.entries(process.env).filter(([name]) => !name.startsWith("INPUT_"));
  const ownVariables = variables.flatMap((name) =>
    input(name) === "" ? [] : [[`CLOUD_BROWSER_${nameVariable(name)}`, input(name)]],
  );
  return Object.fromEntries([...otherVariables, ...ownVariables]);
}

/** Nothing when no report was written. */
function readOutputs(file) {
  if (!existsSync(file)) return {};
  const { verdict, sentence, summary, checks } = JSON.parse(readFileSync(file, "utf8"));
  const failures = checks.filter(({ status, expected }) => status === "fail" && !expected);
  const failed = failures.filter(({ level }) => level === "stated").length;
  const { pass, error, skip } = summary.checks;
  const files = readdirSync(out).filter((name) => /^(report\.|junit\.xml$|badge\.)/.test(name));
  return {
    verdict,
    sentence,
    passed: pass,
    failed,
    warnings: failures.length - failed,
    errors: error,
    skipped: skip,
    reports: resolve(out),
    files: files.map((name) => resolve(out, name)).join("\n"),
  };
}

/** A value ends where its mark stands, which nobody can know before. */
function writeOutputs(outputs) {
  const mark = randomUUID();
  const lines = Object.entries(outputs).map(([name, value]) => `${name}<<${mark}\n${value}\n${mark}\n`);
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));
}
