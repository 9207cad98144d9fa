import { spawn, type ChildProcess } from "node:child_process";
import { SuiteError } from "../http/suite-error.ts";

/** Options of running a command. */
export interface CommandOptions {
  /** Longest time that it may take, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Aborts it. */
  readonly signal?: AbortSignal;
}

const defaultTimeoutMs = 60_000;

/** Maximum output that is read, in bytes; a command prints only an id. */
const outputLimit = 64 * 1024;

/** Longest piece of an output that a message quotes, in characters. */
const quoteLimit = 200;

/** Time for which output is read after the command has ended, in milliseconds: a process that it left running may hold the pipe open. */
const drainMs = 250;

/**
 * Runs the command that opens a page, and gives the session id that it prints: the last line that is not blank.
 *
 * The command is a line for `/bin/sh`, so that pipes and variables work. `{url}` is replaced by the address, which is made of characters
 * that mean nothing to a shell, inside of quotes and outside; it is in `$CONFORMANCE_URL` too. What the command starts in the background
 * may go on.
 *
 * @throws {SuiteError} `session-failed` when it fails, takes too long, or prints no id. The message may quote its last line: redact it
 *   before showing it.
 */
export async function openWithCommand(command: string, url: string, options: CommandOptions = {}): Promise<string> {
  const name = "--session-command";
  const output = await runCommand(name, fillIn(name, command, "url", url), { CONFORMANCE_URL: url }, options);
  const id = lastLine(output);
  if (id === "") throw makeFailure(name, "printed no session id");
  if (id.length > quoteLimit)
    throw makeFailure(name, `printed a last line of ${id.length} characters, which is too long for a session id`);
  return id;
}

/**
 * Runs the command that ends a session. `{id}` is replaced by the session id; it is in `$CONFORMANCE_SESSION_ID` too.
 *
 * @throws {SuiteError} `session-failed` when it fails or takes too long, or when the id has characters that could mean
 * something to a shell and the command has `{id}` in it.
 */
export async function endWithCommand(command: string, id: string): Promise<void> {
  const name = "--end-session-command";
  await runCommand(name, fillIn(name, command, "id", id), { CONFORMANCE_SESSION_ID: id });
}

/** Pattern of texts that a shell takes literally, in any quotes or without. */
const plainText = /^[\w.:/@%+=,-]+$/;

function fillIn(name: string, command: string, place: "url" | "id", value: string): string {
  if (!command.includes(`{${place}}`)) return command;
  if (plainText.test(value)) return command.replaceAll(`{${place}}`, () => value);
  const variable = place === "url" ? "$CONFORMANCE_URL" : "$CONFORMANCE_SESSION_ID";
  throw makeFailure(
    name,
    `can't be given ${JSON.stringify(value.slice(0, quoteLimit))}; use "${variable}" in place of {${place}}`,
  );
}

async function runCommand(
  name: string,
  line: string,
  variables: Readonly<Record<string, string>>,
  { timeoutMs = defaultTimeoutMs, signal }: CommandOptions = {},
): Promise<string> {
  const child = spawn("/bin/sh", ["-c", line], {
    detached: true, // a group of its own, so that all of it can be ended
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...variables },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout = tail(output.stdout + text)));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr = tail(output.stderr + text)));
  const how = await awaitEnd(child, timeoutMs, signal);
  if (how === 0) return output.stdout;
  const why = typeof how === "number" ? `ended with exit code ${how}` : how;
  const words = lastLine(output.stderr);
  throw makeFailure(name, words === "" ? why : `${why}: ${words.slice(0, quoteLimit)}`);
}

/** Waits until a process ends, and returns its exit code. When it has none, what happened: `was interrupted`, `took longer than 5 s`. */
function awaitEnd(child: ChildProcess, timeoutMs: number, signal: AbortSignal | undefined): Promise<number | string> {
  return new Promise((resolve) => {
    let drain: NodeJS.Timeout | undefined;
    const finish = (how: number | string): void => {
      clearTimeout(timer);
      clearTimeout(drain);
      signal?.removeEventListener("abort", interrupt);
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve(how);
    };
    const stop = (why: string): void => {
      endGroup(child);
      finish(why);
    };
    const interrupt = (): void => stop("was interrupted");
    const timer = setTimeout(() => stop(`took longer than ${timeoutMs / 1000} s`), timeoutMs);
    if (signal?.aborted) return interrupt();
    signal?.addEventListener("abort", interrupt, { once: true });
    child.once("error", (error) => finish(`could not be started (${error.message})`));
    child.once("exit", (code, by) => {
      const how = code ?? `was stopped by ${by}`;
      drain = setTimeout(() => finish(how), drainMs);
      child.once("close", () => finish(how));
    });
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It had ended already.
  }
}

function tail(text: string): string {
  return text.length > outputLimit ? text.slice(-outputLimit) : text;
}

function lastLine(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? "";
}

function makeFailure(name: string, what: string): SuiteError {
  return new SuiteError("session-failed", `the command of ${name} ${what}`);
}
