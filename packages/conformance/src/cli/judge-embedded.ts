import { join } from "node:path";
import { SuiteError } from "../http/suite-error.ts";
import { verdictWords } from "../report/readings-text.ts";
import { closingLine, paint, verdictColors } from "../report/terminal.ts";
import type { Report } from "../report/report.ts";
import { embeddedTargets, type EmbeddedName } from "./embedded-targets.ts";
import { listEmbeddedNames, nameFlags, readSetup, type RunFlags } from "./flags.ts";
import type { Interruption } from "./interruption.ts";
import { judge } from "./judge.ts";

/** Result of judging one target. */
interface Judged {
  readonly name: EmbeddedName;
  /** The report, or the error for want of one. */
  readonly result: Report | SuiteError;
  /** Path of its report for people, as seen from the working directory. */
  readonly page: string | undefined;
}

/**
 * Starts each embedded target that flags ask for, judges it, and stops it. One that can't be started leaves the verdicts on the others as
 * they are: it is reported with its reason. The exit code is the worst of those that were judged.
 *
 * @throws {SuiteError} When the first can't be judged, or the only one.
 */
export async function judgeEmbedded(flags: RunFlags, interruption: Interruption): Promise<void> {
  const names = listEmbeddedNames(flags);
  if (names.length > 1 && flags.updateExpectedFailures === true) {
    throw new SuiteError("usage", "--update-expected-failures needs a single target; name one with --target");
  }
  const results: Judged[] = [];
  for (const name of names) {
    if (interruption.signal.aborted) break;
    if (results.length > 0) console.log(`\n${"─".repeat(72)}\n`);
    results.push(await judgeOne(name, flags, interruption, results.length > 0));
  }
  if (names.length > 1) console.log(`\n${summary(results)}`);
}

async function judgeOne(
  name: EmbeddedName,
  flags: RunFlags,
  interruption: Interruption,
  canFail: boolean,
): Promise<Judged> {
  const { start, what } = embeddedTargets[name];
  const setup = await readSetup(flags, name);
  const codeBefore = process.exitCode;
  try {
    console.log(`Starting ${name}, ${what} …`);
    await using running = await start(setup.values);
    const report = await judge(running.target, setup, flags, interruption);
    process.exitCode = worse(codeBefore, report.exitCode);
    const page = setup.values.report.includes("html") ? join(setup.values.out, "report.html") : undefined;
    return { name, result: report, page };
  } catch (error) {
    if (!canFail || !(error instanceof SuiteError)) throw error;
    process.exitCode = codeBefore;
    return { name, result: error, page: undefined };
  }
}

/** Returns the worse one of two exit codes: a fault of a target goes before an unfinished run, and both before success. */
function worse(one: typeof process.exitCode, other: number): number {
  const codes = [Number(one ?? 0), other];
  return codes.includes(1) ? 1 : Math.max(...codes);
}

/** Renders the result of each target with its report, and how another server is judged. */
function summary(results: readonly Judged[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const rows = results.flatMap(({ name, result, page }) => {
    const label = paint("bold", name.padEnd(width));
    if (result instanceof SuiteError) return `${label}  ${paint("yellow", "not judged")}: ${nameFlags(result.message)}`;
    const verdict = paint(verdictColors[result.verdict], verdictWords[result.verdict]);
    const report = page === undefined ? "" : `\n${" ".repeat(width)}  ${page}`;
    return `${label}  ${verdict}: ${closingLine(result)}, in ${Math.round(result.durationMs / 1_000)} s${report}`;
  });
  return [...rows, "", "Judge another server:", `  ${otherServer()}`].join("\n");
}

/** Returns the command that judges any server, as it is called here. */
function otherServer(): string {
  const called =
    process.env["npm_lifecycle_event"] === "start"
      ? "npm start --"
      : "npx -p @cloud-browser/conformance conformance run";
  return `CLOUD_BROWSER_API_KEY=… ${called} --base-url https://api.example.com --session-id … --ended-session-id …`;
}
