import { spawn, type ChildProcess } from "node:child_process";

/**
 * Reads the id of a process group and then waits for the end of its input, which comes when the line is cut or when
 * the process on the other side has died, however that died. Kills the group and removes the folder; tries again as
 * long as a dying process still writes into it.
 */
const watch = `
read -r group
read -r _
[ -n "$group" ] && kill -9 "-$group"
tries=0
until rm -rf -- "$1" || [ "$tries" -ge 100 ]; do tries=$((tries + 1)); sleep 0.05; done
`;

/**
 * Ties a process group and a folder to the life of this process: a small shell of its own session clears both
 * away when the line is cut, which `kill -9` of this process does, too.
 */
export class LifeLine {
  readonly #watcher: ChildProcess;
  readonly #done: Promise<void>;

  /** Starts to watch a folder. */
  constructor(folder: string) {
    this.#watcher = spawn("/bin/sh", ["-c", watch, "cloud-browser-watch", folder], {
      cwd: "/",
      detached: true,
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#done = new Promise((resolve) => {
      this.#watcher.once("exit", () => resolve());
      this.#watcher.once("error", () => resolve());
    });
    // A shell that is dead already can't be written to; that is no fault of the writer.
    this.#watcher.stdin?.on("error", () => undefined);
  }

  /** Names the process group that goes with the folder. */
  hold(group: number): void {
    this.#watcher.stdin?.write(`${group}\n`);
  }

  /** Kills the group and removes the folder. Resolves when that is done; a second call changes nothing. */
  async cut(): Promise<void> {
    this.#watcher.stdin?.end();
    await this.#done;
  }
}
