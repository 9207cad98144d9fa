/** Runs a program of a peer: with a limit of time, and without leaving anything behind. */
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What came of it. */
export interface Ran {
  /** Undefined when it was ended by a signal. */
  readonly code: number | null;
  /** Standard output and standard error, at most a megabyte. */
  readonly output: string;
  /** It was ended, as it took longer than it may. */
  readonly late: boolean;
}

/** A program that goes on until it is disposed of. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly output: () => string;
}

const running = new Set<ChildProcess>();
process.on("exit", () => running.forEach(endGroup));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

/** Where the programs of the peers are. */
export const makeProgram = (name: string): string =>
  fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));

/** None of them may send figures of its use, look for updates, or colour its output. */
const environment = {
  CI: "1",
  NO_COLOR: "1",
  FORCE_COLOR: "0",
  NO_UPDATE_NOTIFIER: "1",
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  STEPCI_DISABLE_ANALYTICS: "1",
};

/** Starts a program in a group of processes of its own, which ends with it. */
export function start(file: string, parameters: readonly string[], folder: string): Program {
  const options = { cwd: folder, detached: true, stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"] };
  const child = spawn(file, parameters, { ...options, env: { ...process.env, ...environment } });
  running.add(child);
  let output = "";
  const keep = (text: string): void => {
    if (output.length < 1_000_000) output += text;
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve()).once("error", () => resolve());
  });
  const end = async (): Promise<void> => {
    endGroup(child);
    await closed;
    running.delete(child);
  };
  return { child, output: () => output, [Symbol.asyncDispose]: end };
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended by itself.
  }
}

/** Runs a program to its end. */
export async function run(file: string, parameters: readonly string[], folder: string, limitMs: number): Promise<Ran> {
  await using program = start(file, parameters, folder);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), limitMs);
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    program.child.once("error", reject).once("close", (code) => resolve(code));
  });
  const came = await Promise.race([exited, late]);
  clearTimeout(timer);
  return came === "late"
    ? { code: null, output: program.output(), late: true }
    : { code: came, output: program.output(), late: false };
}
