import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import pTimeout from "p-timeout";
import { BrowserError } from "../browser-error.ts";
import type { ChromiumBinary } from "./chromium-binary.ts";
import { chromiumFlags } from "./chromium-flags.ts";
import { DevtoolsPipe } from "../devtools/devtools-pipe.ts";
import { LifeLine } from "./process-group.ts";
import { RendererPause } from "./renderer-pause.ts";

/** State of Chromium's sandbox: on, or the reason why it is off. */
export type SandboxState = "on" | { readonly off: string };

/** How a Chromium is started. */
export interface ChromiumStart {
  /** The program. */
  readonly binary: ChromiumBinary;
  /** Address of the proxy that everything of it goes through. Default: none. */
  readonly proxyServer?: string;
  /** State of the sandbox in an earlier start: a sandbox that was off is not tried again. Default: it is tried, but for the user root. */
  readonly sandbox?: SandboxState;
  /** How long the start may take, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Calls the start off. */
  readonly signal?: AbortSignal;
}

/** A running Chromium. */
export interface ChromiumProcess {
  /** Id of the browser process and of the group of all its processes. */
  readonly pid: number;
  /** Its DevTools, which listen nowhere: only this process has them. */
  readonly devtools: DevtoolsPipe;
  /** Its own folder: profile and temporary files. Removed at its end. */
  readonly folder: string;
  /** State of its sandbox. */
  readonly sandbox: SandboxState;
  /** Resolves when the browser process is gone, for whatever reason. */
  readonly exited: Promise<void>;
  /** Kills all its processes and removes its folder. Resolves when both are gone; a second call changes nothing. */
  end(): Promise<void>;
}

/** How Chromium tells, before it ends, that its sandbox can't be had. */
const noSandboxHere =
  /No usable sandbox|without --no-sandbox is not supported|Failed to move to new namespace|SUID sandbox helper/u;

/** Chromium ended because its sandbox can't be had. */
class NoSandbox extends Error {}

/** Below this size `/dev/shm` is not used, in bytes. */
const enoughSharedMemory = 512 * 2 ** 20;

/**
 * Starts a Chromium that lives no longer than this process.
 *
 * @throws {BrowserError} `browser-missing` when it does not come up in time; the message has the last line that it wrote.
 */
export async function startChromium(start: ChromiumStart): Promise<ChromiumProcess> {
  const root = process.getuid?.() === 0;
  const known = start.sandbox ?? (root ? { off: "Chromium has no sandbox for the user root" } : "on");
  try {
    return await attempt(start, known);
  } catch (error) {
    if (!(error instanceof NoSandbox)) throw error;
    return attempt(start, { off: "this machine does not allow user namespaces" });
  }
}

async function attempt(start: ChromiumStart, sandbox: SandboxState): Promise<ChromiumProcess> {
  start.signal?.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), "cloud-browser-"));
  const lifeLine = new LifeLine(folder);
  const chromium = spawn(
    start.binary.executable,
    chromiumFlags({
      profileFolder: join(folder, "profile"),
      ...(start.proxyServer === undefined ? {} : { proxyServer: start.proxyServer }),
      sandbox: sandbox === "on",
      avoidSharedMemoryFolder: await isSharedMemorySmall(),
    }),
    {
      cwd: folder,
      detached: true,
      env: environment(start.binary, folder),
      // Output is read until the end: a full pipe would stop Chromium. The last two are its DevTools pipe: when that breaks, as this process dies, Chromium ends.
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    },
  );
  for (const stream of chromium.stdio) stream?.on("error", () => undefined);
  if (chromium.pid !== undefined) lifeLine.hold(chromium.pid);

  const exited = new Promise<void>((resolve) => {
    chromium.once("exit", () => resolve());
    chromium.once("error", () => resolve());
  });
  const end = async (): Promise<void> => {
    killGroup(chromium);
    await Promise.all([lifeLine.cut(), exited]);
    for (const stream of chromium.stdio) stream?.destroy();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const devtools = await answeringDevtools(chromium, start);
    const { pid } = chromium;
    if (pid === undefined) throw new BrowserError("browser-missing", "Chromium could not be started.");
    return { pid, devtools, folder, sandbox, exited, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Only while its leader is there: afterwards the number may be somebody else's. */
function killGroup(leader: ChildProcess): void {
  if (leader.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return;
  try {
    process.kill(-leader.pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** Nothing of this process's own variables, which may hold keys. */
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
  const folder = await statfs("/dev/shm").catch(() => undefined);
  return folder === undefined || folder.bsize * folder.blocks < enoughSharedMemory;
}

/** The DevTools of a Chromium, as soon as they answer. */
async function answeringDevtools(
  chromium: ChildProcess,
  { timeoutMs = 30_000, signal }: ChromiumStart,
): Promise<DevtoolsPipe> {
  const { stderr, stdio, pid } = chromium;
  const [, , , commands, messages] = stdio;
  if (!stderr || !(commands instanceof Writable) || !(messages instanceof Readable)) {
    throw new BrowserError("browser-missing", "Chromium's output can't be read.");
  }
  const lastLines = new LastLines(stderr);
  const devtools = new DevtoolsPipe(commands, messages, new RendererPause(pid));
  const failure = (how: string): Error =>
    lastLines.tellNoSandbox
      ? new NoSandbox(lastLines.telling)
      : new BrowserError(
          "browser-missing",
          `Chromium ${how}. ${lastLines.telling}Set the path of a Chromium that starts here.`,
        );
  const over = new AbortController();
  const started = new Promise<DevtoolsPipe>((resolve, reject) => {
    const fail = (how: string): void => reject(failure(how));
    signal?.addEventListener("abort", () => fail("was stopped while it started"), { signal: over.signal });
    devtools.ready().then(
      () => resolve(devtools),
      () => undefined, // its end is told below, with what it wrote
    );
    chromium.once("error", (error) => fail(`could not be started (${error.message})`));
    // What it wrote last may come after its end. Processes that it left behind can keep the output open: hence not for long.
    chromium.once("exit", (code, killed) => setTimeout(fail, 200, `ended while it started (${killed ?? code})`));
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

/** Reads lines for as long as they come, and keeps what tells why Chromium ended, cut to a bounded length. */
class LastLines {
  /** True when a line told that the sandbox can't be had. */
  tellNoSandbox = false;
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

  /** The line that a failure is explained by, as a sentence: the first fatal one, otherwise the last. */
  get telling(): string {
    const line = this.#fatal ?? (this.#rest.trim() || this.#last);
    return line ? `It wrote: ${line.slice(0, 500)} ` : "";
  }

  #add(line: string): void {
    if (line === "") return;
    this.#last = line;
    if (/\bFATAL\b/u.test(line)) this.#fatal ??= line;
    if (noSandboxHere.test(line)) this.tellNoSandbox = true;
  }
}
