// Says at the end of a run what it came to: the tests of each package, the other tasks, what was not run, each failure with the command
// that runs it alone, the time, and as the last line "1234 passed, 0 failed", with ", 2 skipped" where tests were.
//
//   node scripts/test-results.mjs [--all] [--seconds <number>]
//   node scripts/test-results.mjs --forget
//
// --all: with the long tests. --forget: before a run, removes the results of the last; turbo brings back those of what need not be repeated.
// A task that failed or was not run counts as one failure, and so does a package whose tests left no results: they have not come to an end.
// Plain JavaScript, because the way in calls it before it knows that there is another Node.js.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters, parseArgs } from "node:util";
import { longTests } from "./long-tests.mjs";
import { quoteForShell } from "./shell-quote.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: { all: { type: "boolean" }, forget: { type: "boolean" }, seconds: { type: "string" } },
});
const listWithin = (folder) => readdirSync(join(root, folder)).map((name) => join(folder, name));
const folders = [...listWithin("."), ...listWithin("packages")].filter((folder) =>
  existsSync(join(root, folder, "package.json")),
);
const readManifest = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
const tested = folders.filter((folder) => folder !== ".");
const readScripts = (folder) => readManifest(folder).scripts ?? {};
const scripts = { quick: "test", long: "test:long" };
const getResultsFile = (folder, project) => join(root, folder, "reports", `tests-${project}.json`);
/** Where turbo tells of its runs: one file for each. */
const runs = join(root, ".turbo", "runs");
/** Reasons that are shown of a file whose tests were skipped. */
const skipReasons = 3;
/** Lines of the log of a failed task that are shown. */
const logLines = 15;

function tell(projects) {
  const { tasks, packages, kinds } = readLastRun();
  const isAsked = (folder, script) =>
    script in readScripts(folder) && (packages.length === 0 || packages.includes(readManifest(folder).name));
  const isProjectAsked = (folder, project) =>
    isAsked(folder, scripts[project]) && (project !== "long" || longTests(join(root, folder)).run.length > 0);
  const tests = tested.flatMap((folder) =>
    projects.filter((one) => isProjectAsked(folder, one)).map((one) => readTests(folder, one, tasks)),
  );
  const left = tested.filter((folder) =>
    projects.some((one) => scripts[one] in readScripts(folder) && !isAsked(folder, scripts[one])),
  );
  const others = tasks.filter(({ task }) => !Object.values(scripts).includes(task));
  const missing = kinds
    .filter((kind) => !Object.values(scripts).includes(kind))
    .flatMap((task) => {
      const own = tested.filter((folder) => isAsked(folder, task));
      const isOfRoot = tested.every((folder) => !(task in readScripts(folder))) && packages.includes("//");
      return [...own, ...(isOfRoot ? [""] : [])].map((directory) => ({ task, directory }));
    })
    .filter(({ task, directory }) => !others.some((one) => one.task === task && one.directory === directory));
  const unfinished = [...others.filter((one) => !isRun(one)), ...missing];
  const failures = [
    ...tests.flatMap((one) => one.failures),
    ...[...others.filter(isFailed), ...unfinished].map(makeTaskFailure),
  ];
  const count = (name) => tests.reduce((sum, one) => sum + (one[name] ?? 0), 0);

  printSection("Tests", formatRows(tests));
  printSection(
    "Other tasks",
    others.length + missing.length > 0
      ? summarize([...others, ...missing])
      : ["none is known of: turbo has told of no run"],
  );
  printSection("Not run", listNotRun(projects, tests, left));
  printSection("Failures", failures.flatMap(describe));
  const time = values.seconds === undefined ? "" : `Took ${formatDuration(Number(values.seconds))}.\n`;
  const skipped = count("skippedCount") > 0 ? `, ${count("skippedCount")} skipped` : "";
  console.log(`\n${time}${count("passed")} passed, ${failures.length} failed${skipped}`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

/**
 * What turbo tells of its last run: the tasks that it ran or found in its cache, and the packages and kinds of tasks that it was asked for.
 * All are empty when it was ended before it could tell. Tasks that only wait for others are left out.
 */
function readLastRun() {
  const [file] = existsSync(runs) ? readdirSync(runs).filter((name) => name.endsWith(".json")) : [];
  if (file === undefined) return { tasks: [], packages: [], kinds: [] };
  const { tasks, packages, execution } = JSON.parse(readFileSync(join(runs, file), "utf8"));
  const [, ...words] = execution.command.split(" ");
  const kinds = words.slice(1).filter((word) => !word.startsWith("-"));
  return { tasks: tasks.filter(({ command }) => command !== "<NONEXISTENT>"), packages, kinds };
}

const findTask = (folder, project, tasks) =>
  tasks.find(({ task, directory }) => task === scripts[project] && join(directory) === folder);

const isRun = ({ execution }) => typeof execution?.exitCode === "number";
const isFailed = (one) => isRun(one) && one.execution.exitCode !== 0;
const isCached = ({ cache }) => cache?.status === "HIT";

/** What the tests of a package came to. */
function readTests(folder, project, tasks) {
  const command = `npm ${project === "long" ? "run test:all" : "test"} -- ${quoteForShell(folder)}`;
  const task = findTask(folder, project, tasks);
  const base = { folder, project, cached: task !== undefined && isCached(task) };
  if (!existsSync(getResultsFile(folder, project))) {
    const error = ["the tests did not come to an end", ...(task ? readLastLines(task.logFile) : [])];
    return { ...base, failures: [{ what: `${folder}: ${scripts[project]}`, error, command }] };
  }
  const results = JSON.parse(readFileSync(getResultsFile(folder, project), "utf8"));
  const failures = results.failures.map(({ file, name, error }) => ({
    what: [file === undefined ? folder : join(folder, file), ...(name === undefined ? [] : [name])].join(" > "),
    error,
    command: file === undefined ? command : formatCommand(join(folder, file), name),
  }));
  if (failures.length === 0 && task !== undefined && isFailed(task)) {
    const error = [
      `no test failed, and the task ended with ${task.execution.exitCode}`,
      ...readLastLines(task.logFile),
    ];
    failures.push({ what: `${folder}: ${scripts[project]}`, error, command });
  }
  const { passed, seconds } = results;
  return { ...base, passed, seconds, failures, skipped: results.skipped, skippedCount: results.skipped.length };
}

/** The command that runs a test alone, or its file. */
function formatCommand(file, name) {
  return `npm test -- ${quoteForShell(file)}${name === undefined ? "" : ` --test ${quoteForShell(name)}`}`;
}

function formatRows(tests) {
  const head = ["", "passed", "failed", "skipped", "time", ""];
  const cells = tests.map(({ folder, project, passed, failures, skippedCount, seconds, cached }) => [
    folder + (project === "long" ? " (long)" : ""),
    passed === undefined ? "-" : String(passed),
    String(failures.length),
    String(skippedCount ?? "-"),
    seconds === undefined ? "-" : formatDuration(seconds),
    passed === undefined ? "did not come to an end" : cached ? "cached" : "",
  ]);
  const table = [head, ...cells];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === row.length - 1 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** A line for each kind of task, with its packages. */
function summarize(tasks) {
  const kinds = [...new Set(tasks.map(({ task }) => task))];
  return kinds.map((kind) => {
    const own = tasks.filter(({ task }) => task === kind);
    const failed = own.filter(isFailed);
    const left = own.filter((one) => !isRun(one));
    const cached = own.filter(isCached).length;
    const seconds = own
      .filter((one) => isRun(one) && !isCached(one))
      .reduce((sum, { execution }) => sum + (execution.endTime - execution.startTime) / 1000, 0);
    const state = [
      failed.length > 0 ? `FAILED${nameFolders(failed)}` : left.length === 0 ? "passed" : "",
      left.length > 0 ? `not run${nameFolders(left)}` : "",
    ];
    const about = [
      own.length > 1 ? `${own.length} packages` : "",
      cached === own.length ? "cached" : cached > 0 ? `${cached} cached` : "",
      seconds > 0 ? formatDuration(seconds) : "",
    ];
    return `${kind.padEnd(13)}  ${joinParts(state)}${about.some(Boolean) ? `  (${joinParts(about)})` : ""}`;
  });
}

const joinParts = (parts) => parts.filter(Boolean).join(", ");
const nameFolders = (tasks) => {
  const packages = tasks.map(({ directory }) => directory).filter(Boolean);
  return packages.length > 0 ? ` in ${packages.join(", ")}` : "";
};

function listNotRun(projects, tests, left) {
  const long = tested.map((folder) => longTests(join(root, folder)));
  const [run, out] = [long.flatMap((one) => one.run).length, long.flatMap((one) => one.left).length];
  const share = `${out} of ${run + out} files of long tests: LONG_TESTS_SHARE is ${process.env.LONG_TESTS_SHARE}`;
  const all = projects.includes("long")
    ? out > 0
      ? [share]
      : []
    : [
        `${run + out} files of long tests, the shape of each tarball, and the stream package in eight runtimes: npm run test:all`,
      ];
  const skipped = tests.flatMap(({ folder, skipped: own = [] }) => describeSkips(folder, own));
  return [
    ...(left.length > 0 ? [`tests of ${left.join(", ")}: this run was asked for other packages`] : []),
    ...all,
    "clients that other tools generate, and tools that drive sessions: npm run test:generators, npm run test:clients",
    ...skipped.map((line) => `skipped: ${line}`),
  ];
}

/** Lines on the skipped tests of a package: one for each reason, and for the rest of a file that has many reasons. */
function describeSkips(folder, skipped) {
  const files = groupBy(skipped, ({ file }) => file);
  return [...files].flatMap(([file, own]) => {
    const reasons = [...groupBy(own, ({ why }) => why)].toSorted(([, one], [, other]) => other.length - one.length);
    const lines = reasons.slice(0, skipReasons).map(([why, tests]) => {
      const which = tests.length === 1 ? `> ${tests[0].name}` : `(${tests.length} tests)`;
      return `${join(folder, file)} ${which}: ${why}`;
    });
    const rest = reasons.slice(skipReasons).reduce((sum, [, tests]) => sum + tests.length, 0);
    if (rest > 0) lines.push(`${join(folder, file)} (${rest} tests): ${reasons.length - skipReasons} other reasons`);
    return lines;
  });
}

function makeTaskFailure(one) {
  const { task, directory, logFile } = one;
  return {
    what: directory === "" ? task : `${directory}: ${task}`,
    error: isFailed(one)
      ? readLastLines(logFile)
      : ["it was not run: what it needs failed, or the run was interrupted"],
    command: `npm test -- ${task}${directory === "" ? "" : ` ${quoteForShell(directory)}`}`,
  };
}

/** Last lines of the log of a task: there its program says what is wrong. */
function readLastLines(logFile) {
  const file = join(root, logFile);
  if (!existsSync(file)) return ["it left no log"];
  const lines = stripVTControlCharacters(readFileSync(file, "utf8"))
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !/^(?:> |\$ )|ELIFECYCLE/.test(line));
  return lines.length > logLines ? ["…", ...lines.slice(-logLines)] : lines;
}

function describe({ what, error, command }, index) {
  return [`${index > 0 ? "\n  " : ""}${what}`, ...error.map((line) => `    ${line}`), `  ▶ ${command}`];
}

function groupBy(list, getKey) {
  const groups = new Map();
  for (const one of list) groups.set(getKey(one), [...(groups.get(getKey(one)) ?? []), one]);
  return groups;
}

function formatDuration(seconds) {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

function printSection(title, lines) {
  if (lines.length > 0) console.log([`\n${title}`, ...lines].join("\n  ").replaceAll(/ +$/gm, ""));
}

if (values.forget) {
  rmSync(runs, { recursive: true, force: true });
  for (const folder of tested) {
    for (const project of Object.keys(scripts)) rmSync(getResultsFile(folder, project), { force: true });
  }
} else {
  tell(values.all ? ["quick", "long"] : ["quick"]);
}
