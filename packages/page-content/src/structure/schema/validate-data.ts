import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { CheckedData, SchemaVerdict } from "./check-schema.ts";
import { PageContentError } from "../../page-content-error.ts";
import { keywordsOf } from "./schema-keywords.ts";

/** Bounds of a schema that is looked at. */
const mostCharacters = 256 * 1024;
const mostNodes = 20_000;
const deepest = 64;
/** Time of one check, in milliseconds. A usual one takes about ten. */
const longestMs = 2_000;
/** Threads at once: a schema that uses up its time must not hold up all others. */
const mostWorkers = 2;
const mostWaiting = 64;
/** A thread that nobody needs any more ends after this time, in milliseconds. */
const idleMs = 10_000;

const workerFile = import.meta.url.endsWith(".ts") ? "./validation-worker.ts" : "./validation-worker.js";
const memory = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

const tooLong: SchemaVerdict = {
  kind: "unusable",
  why: "takes too long to be checked: make its patterns and references simpler",
};
const tooMuchMemory: SchemaVerdict = { kind: "unusable", why: "takes too much memory to be checked: make it simpler" };

const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
const waiting: (() => void)[] = [];
let working = 0;

/**
 * Checks a JSON Schema that a stranger sent, and data against it, in bounded time and memory: it runs on a thread of its
 * own, which is ended when it takes too long (a `pattern` that backtracks, references that multiply).
 *
 * @param data - What is to follow the schema. Nothing: only the schema is checked.
 *
 * @throws {PageContentError} `busy`
 */
export async function validateData(schema: unknown, data?: CheckedData): Promise<SchemaVerdict> {
  const why = refusal(schema);
  if (why) return { kind: "unusable", why };
  const job = { schema: JSON.stringify(schema), ...(data ? { data: JSON.stringify(data) } : {}) };
  if (waiting.length >= mostWaiting)
    throw new PageContentError("busy", "Too many schemas are being checked: try again in a moment.");
  if (working >= mostWorkers) await new Promise<void>((resolve) => waiting.push(resolve));
  else working += 1;
  try {
    return await run(job);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else working -= 1;
  }
}

async function run(job: { readonly schema: string; readonly data?: string }): Promise<SchemaVerdict> {
  const ended = new AbortController();
  const kept = idle.pop();
  clearTimeout(kept?.timer);
  const worker = kept?.worker ?? startWorker();
  worker.ref();
  const failed = once(worker, "error", { signal: ended.signal }).then(([error]): SchemaVerdict => {
    if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return tooMuchMemory;
    throw error;
  });
  failed.catch(() => undefined);
  try {
    if (!kept) await Promise.race([once(worker, "message"), failed]);
    worker.postMessage(job, []);
    const answered = answerOf(worker, ended.signal);
    answered.catch(() => undefined);
    const verdict = await Promise.race([answered, failed, late(ended.signal)]);
    if (verdict === tooLong || verdict === tooMuchMemory) await worker.terminate();
    else keep(worker);
    return verdict;
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    ended.abort();
  }
}

function startWorker(): Worker {
  const url = new URL(workerFile, import.meta.url);
  const worker = new Worker(url, { resourceLimits: memory, execArgv: [], env: {}, stdout: true, stderr: true });
  // A thread that fails while nobody waits for it must not end the process.
  worker.on("error", () => undefined);
  return worker;
}

async function answerOf(worker: Worker, signal: AbortSignal): Promise<SchemaVerdict> {
  const [verdict]: SchemaVerdict[] = await once(worker, "message", { signal });
  return verdict ?? { kind: "unusable", why: "could not be checked" };
}

function late(signal: AbortSignal): Promise<SchemaVerdict> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(tooLong), longestMs);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });
}

function keep(worker: Worker): void {
  worker.unref();
  const timer = setTimeout(() => {
    idle.splice(
      idle.findIndex((each) => each.worker === worker),
      1,
    );
    void worker.terminate();
  }, idleMs);
  timer.unref();
  idle.push({ worker, timer });
}

/** Returns why a schema is refused before it is compiled. */
function refusal(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return "has to be a JSON Schema, an object";
  }
  const waitingParts: { readonly part: unknown; readonly depth: number }[] = [{ part: schema, depth: 0 }];
  let nodes = 0;
  let characters = 0;
  while (waitingParts.length > 0) {
    const { part, depth } = waitingParts.pop() ?? { part: null, depth: 0 };
    nodes += 1;
    if (typeof part === "string") characters += part.length;
    if (nodes > mostNodes || characters > mostCharacters)
      return `is too large: ${mostNodes} values and ${mostCharacters} characters are the most`;
    if (depth > deepest) return `is nested too deeply: ${deepest} levels are the most`;
    if (typeof part !== "object" || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      characters += name.length;
      waitingParts.push({ part: value, depth: depth + 1 });
    }
  }
  return keywordsOf(schema).length > 0 ? undefined : "is no JSON Schema: it has none of its keywords";
}
