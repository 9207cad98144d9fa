import { execFile, spawn, type ChildProcess } from "node:child_process";
import { access, chmod, constants, copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { constants as osConstants, setPriority } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { RecorderError } from "../recorder-error.ts";
import { recorderVersion } from "../recorder-version.ts";

/** Options of one ffmpeg run. */
export interface FfmpegRun {
  /** The program. */
  readonly program: string;
  /** Its arguments, without those that keep it quiet and away from the terminal. */
  readonly args: readonly string[];
  /** Standard input. */
  readonly input?: Iterable<Uint8Array>;
  /** Folder that it runs in. */
  readonly folder: string;
  /** Longest time, in milliseconds. */
  readonly limitMs: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
  /** True when a client waits for it. Otherwise it runs at low priority. Default: false. */
  readonly isUrgent?: boolean;
}

/** Longest output of ffmpeg in an error message, in characters. */
const stderrTailLength = 500;

/**
 * Finds an ffmpeg that has the encoder of recordings, libx264: the configured one, else the one from npm, else the one on the PATH.
 *
 * @param cacheFolder - Where npm's is copied to when it may not be run where it lies.
 * @throws {RecorderError} `encoder-missing`.
 *
 * @example
 * ```ts from=examples/api/recorder/find-ffmpeg.ts
 * import { findFfmpeg } from "@cloud-browser/recorder";
 *
 * const path = await findFfmpeg(undefined, "cache"); // the one from npm, or on the PATH
 * console.log(path); // …ffmpeg…
 * ```
 */
export async function findFfmpeg(configured: string | undefined, cacheFolder: string): Promise<string> {
  if (configured !== undefined) {
    const fault = await findFault(configured);
    if (fault === undefined) return configured;
    throw new RecorderError("encoder-missing", `the configured ffmpeg ${fault}: ${configured}`);
  }
  const packaged = await packagedFfmpeg(cacheFolder);
  if (packaged !== undefined && (await canEncode(packaged))) return packaged;
  if (await canEncode("ffmpeg")) return "ffmpeg";
  throw new RecorderError(
    "encoder-missing",
    `no ffmpeg with libx264 for ${process.platform} ${process.arch} was found: ${adviseFfmpeg(process.platform)}, or set the path of its program with \`ffmpeg\``,
  );
}

/** Returns advice on how to install ffmpeg on a platform. */
function adviseFfmpeg(platform: NodeJS.Platform): string {
  if (platform === "darwin") return "install one (brew install ffmpeg)";
  if (platform === "win32") return "install one (winget install ffmpeg)";
  return "install one (Debian: apt-get install ffmpeg, Alpine: apk add ffmpeg)";
}

/**
 * Runs ffmpeg.
 *
 * @throws {Error} If it fails (with its output), times out, or is aborted. The process has ended then.
 */
export async function runFfmpeg({
  program,
  args,
  input,
  folder,
  limitMs,
  signal,
  isUrgent = false,
}: FfmpegRun): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(program, ["-hide_banner", "-v", "error", "-y", ...args], {
    cwd: folder,
    stdio: [input ? "pipe" : "ignore", "ignore", "pipe"],
    // Linux shares the processor among groups of processes before it looks at processes: each encoder gets its own group.
    detached: process.platform === "linux",
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code, killedBy) => resolve(code === 0 ? undefined : (killedBy ?? `exit ${code}`)));
  });
  if (!isUrgent) void yieldProcessor(child);
  let stderrTail = "";
  child.stderr
    ?.setEncoding("utf8")
    .on("data", (text: string) => (stderrTail = (stderrTail + text).slice(-stderrTailLength)))
    // Where the system has no room for a process, its streams are connected to nothing.
    .on("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  const kill = (): void => void child.kill("SIGKILL");
  const timer = setTimeout(kill, limitMs);
  signal.addEventListener("abort", kill, { once: true });
  try {
    // What it did not read shows in how it ended.
    if (input && child.stdin) await pipeline(Readable.from(input), child.stdin).catch(() => undefined);
    const fault = await ended;
    signal.throwIfAborted();
    if (fault !== undefined) throw new Error(`ffmpeg failed (${fault}): ${stderrTail.trim()}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
    kill();
  }
}

/** A tenth of the weight of another group: less, and it would not finish on a machine that is busy for long. */
const groupNiceness = 10;

/** Leaves the processor to all others: as a process, and as the group of processes that Linux takes it for. */
async function yieldProcessor(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  try {
    setPriority(child.pid, osConstants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system does not allow it: it runs like all others.
  }
  // Linux takes ten of these a second, all users together, and asks the others to come again.
  for (let tries = 0; tries < 10 && child.exitCode === null; tries += 1) {
    const isDone = await writeFile(`/proc/${child.pid}/autogroup`, String(groupNiceness)).then(
      () => true,
      (error: unknown) => !(error instanceof Error && "code" in error && error.code === "EAGAIN"),
    );
    if (isDone) return;
    await delay(120, undefined, { ref: false });
  }
}

/**
 * Finds the ffmpeg of the package for this platform, and copies it to the cache when it can't run where it is: some package managers drop
 * its mode (Yarn keeps packages in zip files), and its folder may be read-only.
 */
async function packagedFfmpeg(cacheFolder: string): Promise<string | undefined> {
  try {
    const { resolve } = createRequire(import.meta.url);
    const manifest = resolve(`@cloud-browser/ffmpeg-${process.platform}-${process.arch}/package.json`);
    const path = join(dirname(manifest), "ffmpeg");
    if (await canEncode(path)) return path;
    await chmod(path, 0o755).catch(() => undefined);
    return (await canEncode(path)) ? path : await copyTo(join(cacheFolder, `ffmpeg-${recorderVersion}`), path);
  } catch {
    return undefined;
  }
}

async function copyTo(target: string, source: string): Promise<string> {
  if (await isExecutable(target)) return target;
  await mkdir(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  await copyFile(source, draft);
  await chmod(draft, 0o755);
  await rename(draft, target);
  return target;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** How long ffmpeg may take to list its encoders, in milliseconds. */
const listMs = 10_000;

/** Returns why a program can't encode recordings, in words that follow its name; undefined when it can. */
async function findFault(program: string): Promise<string | undefined> {
  const options = { cwd: "/", timeout: listMs, killSignal: "SIGKILL" } as const;
  const list = await promisify(execFile)(program, ["-hide_banner", "-encoders"], options).catch(() => undefined);
  if (list === undefined) return "can't be started";
  return /\blibx264\b/.test(list.stdout) ? undefined : "has no encoder libx264";
}

async function canEncode(program: string): Promise<boolean> {
  return (await findFault(program)) === undefined;
}
