import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import type { CheckedData, SchemaVerdict } from "./check-schema.ts";
import { PageContentError } from "../../page-content-error.ts";
import { listKeywords } from "./schema-keywords.ts";

/** Limits of a schema that is accepted. */
const maxCharacters = 256 * 1024;
const maxNodes = 20_000;
const maxDepth = 64;
/** Processor time of one check, in milliseconds, independent of other load. A usual one takes about ten. */
const processorMs = 500;
/** Time by the clock after which a check is given up that has not had its processor time, in milliseconds. */
const clockMs = 15_000;
/** Threads at once: a schema that uses up its time must not hold up all others. */
const maxWorkers = 2;
const maxWaiting = 64;
/** Time after which an idle thread ends, in milliseconds. */
const idleMs = 10_000;

const workerFile = import.meta.url.endsWith(".ts") ? "./validation-worker.ts" : "./validation-worker.js";
const memory = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

const tooLong: SchemaVerdict = {
  kind: "unusable",
  why: "takes too long to be checked: make its patterns and references simpler",
};
const tooMuchMemory: SchemaVerdict = { kind: "unusable", why: "takes too much memory to be checked: make it simpler" };

/**
 * Checks an untrusted JSON Schema, and data against it, in bounded time and memory: it runs on its own thread, which is ended when it
 * takes too much processor time (a `pattern` that backtracks, references that multiply).
 *
 * @param data - Data to validate. Default: only the schema is checked.
 *
 * @throws {PageContentError} `busy`: too many checks wait, or the machine has no time for this one
 */
export async function validateData(schema: unknown, data?: CheckedData): Promise<SchemaVerdict> {
  const why = refusal(schema);
  if (why) return { kind: "unusable", why };
  return workers.run({ schema: JSON.stringify(schema), ...(data ? { data: JSON.stringify(data) } : {}) });
}

/** A schema, and data that are to follow it, as JSON. */
interface Job {
  readonly schema: string;
  readonly data?: string;
}

/** Runs checks on worker threads, two at a time, and keeps idle threads for ten seconds. */
class ValidationWorkers {
  readonly #limit = pLimit(maxWorkers);
  readonly #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];

  /**
   * Runs a check when a thread is free.
   *
   * @throws {PageContentError} `busy`
   */
  async run(job: Job): Promise<SchemaVerdict> {
    if (this.#limit.activeCount + this.#limit.pendingCount >= maxWorkers + maxWaiting)
      throw new PageContentError("busy", "too many schemas are being checked: try again in a moment");
    return this.#limit(() => this.#check(job));
  }

  async #check(job: Job): Promise<SchemaVerdict> {
    const ended = new AbortController();
    const idle = this.#idle.pop();
    clearTimeout(idle?.timer);
    const worker = idle?.worker ?? startWorker();
    worker.ref();
    const failed = awaitFailure(worker, ended.signal);
    failed.catch(() => undefined);
    try {
      if (!idle) await Promise.race([once(worker, "message"), failed]);
      worker.postMessage(job, []);
      const answered = awaitVerdict(worker, ended.signal);
      answered.catch(() => undefined);
      const timedOut = processorTimeUsedUp(worker, ended.signal);
      timedOut.catch(() => undefined);
      const verdict = await Promise.race([answered, failed, timedOut]);
      if (verdict === tooLong || verdict === tooMuchMemory) await worker.terminate();
      else this.#keep(worker);
      return verdict;
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      ended.abort();
    }
  }

  #keep(worker: Worker): void {
    worker.unref();
    const timer = setTimeout(() => {
      const index = this.#idle.findIndex((each) => each.worker === worker);
      this.#idle.splice(index, 1);
      void worker.terminate();
    }, idleMs);
    timer.unref();
    this.#idle.push({ worker, timer });
  }
}

const workers = new ValidationWorkers();

function startWorker(): Worker {
  const url = new URL(workerFile, import.meta.url);
  const execArgv = listResolverArguments();
  const worker = new Worker(url, { resourceLimits: memory, execArgv, env: {}, stdout: true, stderr: true });
  // An idle thread that fails must not end the process.
  worker.on("error", () => undefined);
  return worker;
}

/** Lists the arguments of Node.js by which Yarn Plug'n'Play finds packages, which a thread without the environment lacks. */
function listResolverArguments(): string[] {
  if (!("pnp" in process.versions)) return [];
  const resolver = createRequire(import.meta.url).resolve("pnpapi");
  const loader = new URL(".pnp.loader.mjs", pathToFileURL(resolver)).href;
  return ["--require", resolver, "--experimental-loader", loader];
}

async function awaitVerdict(worker: Worker, signal: AbortSignal): Promise<SchemaVerdict> {
  const [verdict]: SchemaVerdict[] = await once(worker, "message", { signal });
  return verdict ?? { kind: "unusable", why: "could not be checked" };
}

/** Waits for the thread to fail: resolves when it ran out of memory, rejects with any other error. */
async function awaitFailure(worker: Worker, signal: AbortSignal): Promise<SchemaVerdict> {
  const [error]: unknown[] = await once(worker, "error", { signal });
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return tooMuchMemory;
  throw error;
}

/**
 * Waits until a thread has used its processor time: the clock would blame the schema for a machine that is busy.
 *
 * @throws {PageContentError} `busy`: the machine did not give it that time
 */
async function processorTimeUsedUp(worker: Worker, signal: AbortSignal): Promise<SchemaVerdict> {
  const begun = performance.now();
  const before = await worker.cpuUsage();
  for (let left = processorMs; left > 0;) {
    await wait(Math.max(left, 10), undefined, { signal });
    const { user, system } = await worker.cpuUsage(before);
    left = processorMs - (user + system) / 1_000;
    if (left > 0 && performance.now() - begun > clockMs)
      throw new PageContentError("busy", "the machine is too busy to check the schema: try again in a moment");
  }
  return tooLong;
}

/** Returns why a schema is refused before it is compiled. */
function refusal(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return "must be a JSON Schema object";
  }
  const waitingParts: { readonly part: unknown; readonly depth: number }[] = [{ part: schema, depth: 0 }];
  let nodes = 0;
  let characters = 0;
  while (waitingParts.length > 0) {
    const { part, depth } = waitingParts.pop() ?? { part: null, depth: 0 };
    nodes += 1;
    if (typeof part === "string") characters += part.length;
    if (nodes > maxNodes || characters > maxCharacters)
      return `is too large: ${maxNodes} values and ${maxCharacters} characters are the most`;
    if (depth > maxDepth) return `is nested too deeply: ${maxDepth} levels are the most`;
    if (typeof part !== "object" || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      characters += name.length;
      waitingParts.push({ part: value, depth: depth + 1 });
    }
  }
  return listKeywords(schema).length > 0 ? undefined : "is not a JSON Schema: it has none of its keywords";
}
