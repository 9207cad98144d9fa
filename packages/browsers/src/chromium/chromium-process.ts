import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import pTimeout from "p-timeout";
import { BrowserError } from "../browser-error.ts";
import type { ChromiumBinary } from "./chromium-binary.ts";
import { chromiumFlags } from "./chromium-flags.ts";
import { launch, type LaunchedProgram } from "./launch.ts";
import { DevtoolsPipe } from "../devtools/devtools-pipe.ts";
import type { RenameError } from "../devtools/failed-requests.ts";
import { ProcessWatchdog } from "./process-watchdog.ts";
import { RendererPause } from "./renderer-pause.ts";

/** State of Chromium's sandbox: on, or off with the reason. */
export type SandboxState = "on" | { readonly off: string };

/** Options to start a Chromium. */
export interface ChromiumStart {
  /** Executable and its environment. */
  readonly binary: ChromiumBinary;
  /** URL of the proxy for all its traffic. Default: none. */
  readonly proxyServer?: string;
  /** Renames the errors of failed requests. Default: as Chromium gives them. */
  readonly renameError?: RenameError;
  /** State of the sandbox at an earlier start: a sandbox that was off is not tried again. Default: it is tried, except for root. */
  readonly sandbox?: SandboxState;
  /** Start timeout, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
}

/** A running Chromium. */
export interface ChromiumProcess {
  /** Id of the browser process and of the group of all its processes. */
  readonly pid: number;
  /** Its DevTools pipe. It has no port: only this process can use it. */
  readonly devtools: DevtoolsPipe;
  /** Its own folder: profile and temporary files. Removed at its end. */
  readonly folder: string;
  /** State of its sandbox. */
  readonly sandbox: SandboxState;
  /** Resolves when the browser process has exited, for whatever reason. */
  readonly exited: Promise<void>;
  /** Kills all its processes and removes its folder. Resolves when both are gone. Can be called again. */
  end(): Promise<void>;
}

/** Matches the text that Chromium writes before it exits because its sandbox is unavailable. */
const sandboxUnavailablePattern =
  /No usable sandbox|without --no-sandbox is not supported|Failed to move to new namespace|SUID sandbox helper/u;

/** Chromium exited because its sandbox is unavailable. */
class SandboxUnavailable extends Error {}

/** Below this size `/dev/shm` is not used, in bytes. */
const minSharedMemoryBytes = 512 * 2 ** 20;

/**
 * Starts a Chromium, which is killed when this process ends.
 *
 * @throws {BrowserError} `browser-missing` if it does not start in time; the message has its last output.
 */
export async function startChromium(start: ChromiumStart): Promise<ChromiumProcess> {
  const root = process.getuid?.() === 0;
  const known = start.sandbox ?? (root ? { off: "Chromium has no sandbox for the user root" } : "on");
  try {
    return await attempt(start, known);
  } catch (error) {
    if (!(error instanceof SandboxUnavailable)) throw error;
    return attempt(start, { off: "this machine does not allow user namespaces" });
  }
}

async function attempt(start: ChromiumStart, sandbox: SandboxState): Promise<ChromiumProcess> {
  start.signal?.throwIfAborted();
  const folder = await makeFolder();
  let watchdog: ProcessWatchdog | undefined;
  let launched: LaunchedProgram;
  try {
    watchdog = await ProcessWatchdog.start(folder);
    const flags = chromiumFlags({
      profileFolder: join(folder, "profile"),
      ...(start.proxyServer === undefined ? {} : { proxyServer: start.proxyServer }),
      sandbox: sandbox === "on",
      disableSharedMemory: await isSharedMemorySmall(),
    });
    // Output is read until the end: a full pipe would block Chromium. The last two are its DevTools pipe: Chromium exits when it breaks.
    const stdio = ["ignore", "ignore", "pipe", "pipe", "pipe"] as const;
    const env = environment(start.binary, folder);
    launched = await launch(start.binary.executable, flags, { cwd: folder, detached: true, env, stdio: [...stdio] });
  } catch (cause) {
    await watchdog?.end();
    await removeFolder(folder);
    throw startFailure(cause);
  }
  const { child: chromium, pid } = launched;
  const ofFolder = watchdog;
  ofFolder.watchGroup(pid);

  const exited = new Promise<void>((resolve) => {
    chromium.once("exit", () => resolve());
    chromium.once("error", () => resolve());
  });
  const end = async (): Promise<void> => {
    killGroup(chromium);
    await Promise.all([ofFolder.end(), exited]);
    for (const stream of chromium.stdio) stream?.destroy();
    await removeFolder(folder);
  };
  try {
    const devtools = await connectDevtools(chromium, start);
    return { pid, devtools, folder, sandbox, exited, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Timeout of the creation of a folder, in milliseconds: a lost file system never answers. */
const folderMs = 10_000;

async function makeFolder(): Promise<string> {
  const message = `the folder of temporary files has not answered for ${folderMs / 1_000} s`;
  try {
    return await pTimeout(mkdtemp(join(tmpdir(), "cloud-browser-")), { milliseconds: folderMs, message });
  } catch (cause) {
    throw startFailure(cause);
  }
}

/** Removes a folder that the watchdog has removed already, usually. What can't be removed ends nothing. */
async function removeFolder(folder: string): Promise<void> {
  const removed = rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  await pTimeout(removed, { milliseconds: folderMs, fallback: () => undefined });
}

/** Returns the error of a start that the system refused, without paths. */
function startFailure(cause: unknown): BrowserError {
  if (cause instanceof BrowserError) return cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  const why = code ?? (cause instanceof Error ? cause.message : "unknown reason");
  const advice =
    code === "EMFILE" || code === "ENFILE" || code === "EAGAIN"
      ? "raise the limits of open files and processes (ulimit -n, ulimit -u)"
      : "check the room and the permissions of the folder of temporary files (TMPDIR), and that Chromium may be run";
  return new BrowserError("browser-missing", `Chromium could not be started (${why}); ${advice}`, { cause });
}

/** Kills the group only while its leader runs: afterwards the id may be reused. */
function killGroup(leader: ChildProcess): void {
  if (leader.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return;
  try {
    process.kill(-leader.pid, "SIGKILL");
  } catch {
    // It has exited already.
  }
}

/** Environment of Chromium. Does not pass on variables of this process, which may contain keys. */
function environment(binary: ChromiumBinary, folder: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: folder,
    TMPDIR: folder,
    LANG: "C.UTF-8",
    ...(process.env["TZ"] ? { TZ: process.env["TZ"] } : {}),
    ...binary.env,
  };
}

async function isSharedMemorySmall(): Promise<boolean> {
  const stats = statfs("/dev/shm").catch(() => undefined);
  const folder = await pTimeout(stats, { milliseconds: folderMs, fallback: () => undefined });
  return folder === undefined || folder.bsize * folder.blocks < minSharedMemoryBytes;
}

/** Resolves with the DevTools pipe of a Chromium once it responds. */
async function connectDevtools(
  chromium: ChildProcess,
  { timeoutMs = 30_000, signal, renameError }: ChromiumStart,
): Promise<DevtoolsPipe> {
  const { stderr, stdio, pid } = chromium;
  const [, , , commands, messages] = stdio;
  if (!stderr || !(commands instanceof Writable) || !(messages instanceof Readable)) {
    throw new BrowserError("browser-missing", "Chromium's output can't be read");
  }
  const output = new OutputTail(stderr);
  const devtools = new DevtoolsPipe(commands, messages, new RendererPause(pid), undefined, renameError);
  const failure = (how: string): Error =>
    output.isSandboxUnavailable
      ? new SandboxUnavailable(output.summary)
      : new BrowserError(
          "browser-missing",
          `Chromium ${how}. ${output.summary}Set the path of a Chromium that starts here`,
        );
  const over = new AbortController();
  const started = new Promise<DevtoolsPipe>((resolve, reject) => {
    const fail = (how: string): void => reject(failure(how));
    signal?.addEventListener("abort", () => fail("was stopped while it started"), { signal: over.signal });
    devtools.ready().then(
      () => resolve(devtools),
      () => undefined, // the exit handler below rejects with its last output
    );
    chromium.once("error", (error) => fail(`could not be started (${error.message})`));
    // Its last output may arrive after the exit; child processes may keep the stream open, so the wait is short.
    chromium.once("exit", (code, killed) => setTimeout(fail, 200, `exited while it started (${killed ?? code})`));
  });
  try {
    return await pTimeout(started, {
      milliseconds: timeoutMs,
      fallback: () => {
        throw failure(`did not start within ${timeoutMs / 1000} s`);
      },
    });
  } finally {
    over.abort();
  }
}

/** Reads the output of Chromium, and keeps the line that explains an exit, cut to a bounded length. */
class OutputTail {
  /** True once a line said that the sandbox is unavailable. */
  isSandboxUnavailable = false;
  #fatal: string | undefined;
  #last = "";
  #rest = "";

  constructor(stream: Readable) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = (lines.pop() ?? "").slice(-4096);
      for (const line of lines) this.#add(line.trim());
    });
  }

  /** The line for an error message, as a sentence: the first fatal one, otherwise the last. */
  get summary(): string {
    const line = this.#fatal ?? (this.#rest.trim() || this.#last);
    return line ? `Its last output: ${line.slice(0, 500)} ` : "";
  }

  #add(line: string): void {
    if (line === "") return;
    this.#last = line;
    if (/\bFATAL\b/u.test(line)) this.#fatal ??= line;
    if (sandboxUnavailablePattern.test(line)) this.isSandboxUnavailable = true;
  }
}
