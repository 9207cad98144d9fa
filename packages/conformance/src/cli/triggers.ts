import { watch as watchPaths } from "chokidar";
import { basename, relative, resolve, sep } from "node:path";
import { watchAddress } from "../http/liveness.ts";
import { reportFormats } from "../configuration/configuration.ts";
import { listFiles } from "./report-writers.ts";

/** Options of watch mode: the target and the files that trigger another run. */
export interface Watched {
  /** Address of the target. */
  readonly address: string;
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Folder of the reports: changes in it do not trigger a run. */
  readonly out: string;
}

/** Time that files have to be unchanged before a run starts, in milliseconds: editors often save several at once. */
const quietMs = 150;

/** Waits for events that trigger another run. Events between two waits are kept. */
export class Triggers implements AsyncDisposable {
  readonly #closing = new AbortController();
  readonly #close: () => Promise<void>;
  /** Promise that resolves once the paths are watched. */
  readonly ready: Promise<void>;
  #reason: string | undefined;
  #waits = false;
  #wake: () => void = () => {};

  /** @param onDown - Called when the target no longer takes connections while a reason is waited for. */
  constructor({ address, paths, out }: Watched, onDown: () => void = () => {}) {
    watchAddress(address, this.#closing.signal, (isUp) => {
      if (isUp) this.trigger("the target answers again");
      else if (this.#waits) onDown();
    });
    const files = watchPaths([...paths], { ignoreInitial: true, ignored: (path) => isIgnored(path, out) });
    let quiet: NodeJS.Timeout | undefined;
    files.on("all", (_, path) => {
      clearTimeout(quiet);
      quiet = setTimeout(() => this.trigger(`${relative(process.cwd(), path) || path} has changed`), quietMs);
    });
    // Of no paths nothing is ever told.
    this.ready = paths.length === 0 ? Promise.resolve() : new Promise((settle) => files.once("ready", settle));
    this.#close = async () => {
      clearTimeout(quiet);
      await files.close();
    };
  }

  /** Triggers a run, and gives the reason. */
  trigger(reason: string): void {
    this.#reason = reason;
    this.#wake();
  }

  /** Waits for the next reason to run; undefined when the signal is aborted. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    if (this.#reason === undefined && !signal.aborted) {
      this.#waits = true;
      await new Promise<void>((settle) => {
        this.#wake = settle;
        signal.addEventListener("abort", () => settle(), { once: true });
      });
    }
    this.#waits = false;
    const reason = signal.aborted ? undefined : this.#reason;
    this.#reason = undefined;
    return reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#close();
  }
}

/** Returns whether a change of a path is ignored: it is a report, or not a source file. */
export function isIgnored(path: string, out: string): boolean {
  const steps = path.split(sep);
  const isReport = resolve(path, "..") === resolve(out) && reportNames.has(basename(path));
  return steps.includes("node_modules") || steps.includes(".git") || isReport;
}

const reportNames: ReadonlySet<string> = new Set(reportFormats.flatMap(listFiles));
