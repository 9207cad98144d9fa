import type { ChildProcess } from "node:child_process";
import pTimeout from "p-timeout";
import { launch } from "./launch.ts";

/** Timeout of the end of a watchdog, in milliseconds: on a lost file system it never ends. */
const endMs = 10_000;

/**
 * Reads the id of a process group and then waits for the end of its input, which comes when the pipe is closed or when
 * the process on the other side has exited, for whatever reason. Kills the group and removes the folder; tries again as
 * long as a dying process still writes into it.
 */
const script = `
read -r group
read -r _
[ -n "$group" ] && kill -9 "-$group"
tries=0
until rm -rf -- "$1" || [ "$tries" -ge 100 ]; do tries=$((tries + 1)); sleep 0.05; done
`;

/**
 * Ties a process group and a folder to the lifetime of this process: a small shell in its own session kills the group and
 * removes the folder when its pipe is closed, which also happens on `kill -9` of this process.
 */
export class ProcessWatchdog {
  readonly #watcher: ChildProcess;
  readonly #done: Promise<void>;

  /** Starts to watch a folder. @throws {Error} When the system starts no process. */
  static async start(folder: string): Promise<ProcessWatchdog> {
    const { child } = await launch("/bin/sh", ["-c", script, "cloud-browser-watch", folder], {
      cwd: "/",
      detached: true,
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
    });
    return new ProcessWatchdog(child);
  }

  private constructor(watcher: ChildProcess) {
    this.#watcher = watcher;
    this.#done = new Promise((resolve) => {
      this.#watcher.once("exit", () => resolve());
      this.#watcher.once("error", () => resolve());
    });
    // Writing to a shell that has exited is not an error.
    this.#watcher.stdin?.on("error", () => undefined);
  }

  /** Sets the process group to kill. */
  watchGroup(group: number): void {
    this.#watcher.stdin?.write(`${group}\n`);
  }

  /** Kills the group and removes the folder. Resolves when that is done, or takes more than ten seconds. Can be called again. */
  async end(): Promise<void> {
    this.#watcher.stdin?.end();
    await pTimeout(this.#done, { milliseconds: endMs, fallback: () => undefined });
  }
}
