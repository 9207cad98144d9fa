// Packs the package, installs the tarball outside the workspace, and runs the same cases in every runtime:
//
//   node run.ts [--only node20,bun] [--consumer <module>]
//
// Another package is tested by a module that exports a `makeConsumer` as that of this folder, with entries of the same names.
//
// Exit code 0: all passed. 1: something failed, a runtime that could not be started included. 2: unknown runtime.
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { execute, ExecuteError } from "./execute.ts";
import { startLoopback } from "./loopback.ts";
import { installRuntimes, runtimes, type Runtime } from "./runtime.ts";

/** A runtime that takes longer than this, in milliseconds, has failed. */
const timeout = 60_000;

/** What `runCases` gives back. */
interface Result {
  readonly passed: number;
  readonly failed: readonly { readonly name: string; readonly why: string }[];
}

/** One row of the table. */
interface Row {
  readonly runtime: string;
  readonly version: string;
  readonly cases: string;
  readonly seconds: string;
  /** Why it failed; empty when all passed. */
  readonly complaints: readonly string[];
}

const names = runtimes.map(({ name }) => name);
const { values } = parseArgs({ options: { only: { type: "string" }, consumer: { type: "string" } } });
const only = values.only?.split(",") ?? names;
const strange = only.filter((name) => !names.includes(name));
if (strange.length > 0) {
  console.error(`unknown runtime ${strange.join(", ")}; known: ${names.join(", ")}`);
  process.exit(2);
}

await installRuntimes();
const from = values.consumer === undefined ? new URL("consumer.ts", import.meta.url) : pathToFileURL(values.consumer);
const { makeConsumer }: typeof import("./consumer.ts") = await import(from.href);
const consumer = await makeConsumer();
const loopback = await startLoopback(consumer.folder);
try {
  const rows: Row[] = [];
  for (const runtime of runtimes.filter(({ name }) => only.includes(name))) rows.push(await readRow(runtime));
  for (const line of getTable(rows)) console.log(line);
  const complaints = rows.flatMap(({ runtime, complaints: own }) => own.map((one) => `${runtime}: ${one}`));
  for (const complaint of complaints) console.error(complaint);
  process.exitCode = complaints.length > 0 ? 1 : 0;
} finally {
  loopback.close();
  consumer.remove();
}

async function readRow(runtime: Runtime): Promise<Row> {
  const startedAt = performance.now();
  const getSeconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1);
  let version = "not started";
  try {
    version = await readVersion(runtime);
    const { passed, failed } = await readResult(runtime);
    const complaints = failed.map(({ name, why }) => `${name}: ${why}`);
    if (passed === 0) complaints.push("no case was run");
    const cases = `${passed} of ${passed + failed.length}`;
    return { runtime: runtime.name, version, cases, seconds: getSeconds(), complaints };
  } catch (error) {
    const complaints = [error instanceof Error ? error.message : String(error)];
    return { runtime: runtime.name, version, cases: "none", seconds: getSeconds(), complaints };
  }
}

async function readVersion({ version: [program, ...args], remedy }: Runtime): Promise<string> {
  try {
    const output = await execute(program, args, { cwd: consumer.folder, timeout });
    return /\d[\w.-]+/.exec(output)?.[0] ?? output.trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`could not be started; ${remedy} (${why})`, { cause: error });
  }
}

/** What the entry printed, also when it ended with an exit code because cases failed. */
async function readResult(runtime: Runtime): Promise<Result> {
  const [program, ...args] = runtime.command(loopback.origin);
  try {
    const env = { ORIGIN: loopback.origin };
    const output = await execute(program, args, { cwd: consumer.folder, env, timeout });
    const result = findResult(output);
    if (!result) throw new Error(`it printed no result: ${output.slice(-2000)}`);
    return result;
  } catch (error) {
    const result = error instanceof ExecuteError ? findResult(error.stdout) : undefined;
    if (!result || result.failed.length === 0) throw error;
    return result;
  }
}

function findResult(text: string): Result | undefined {
  const line = text.split("\n").findLast((one) => one.startsWith('{"passed":'));
  if (line === undefined) return undefined;
  const result: Result = JSON.parse(line);
  return result;
}

function getTable(rows: Row[]): string[] {
  const head = ["runtime", "version", "cases passed", "seconds"];
  const cells = [head, ...rows.map(({ runtime, version, cases, seconds }) => [runtime, version, cases, seconds])];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
