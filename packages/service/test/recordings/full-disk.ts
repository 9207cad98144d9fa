import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer } from "../running-service.ts";

const run = promisify(execFile);
const addressForm = z.object({ url: z.string(), apiKey: z.string() });

/** A service in a process of its own, whose disk can be full. */
export interface LimitedService extends AsyncDisposable {
  /** Sends a request with the key. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** The record of a session. */
  readonly view: (id: string) => Promise<SessionView>;
  /** From now on no byte can be added to a file, or again. */
  readonly setDiskFull: (isFull: boolean) => Promise<void>;
  /** Ends it at once, as a crash does. */
  readonly kill: () => Promise<void>;
}

/** From now on a process can add no byte to a file, or again. */
export async function setDiskFull(pid: number, isFull: boolean): Promise<void> {
  await run("prlimit", ["--pid", String(pid), `--fsize=${isFull ? "0" : "unlimited"}:`]);
}

/** Starts one. Its limit is the kernel's (RLIMIT_FSIZE): nobody has to be root, and every write fails for real. */
export async function startLimitedService(data: string): Promise<LimitedService> {
  const program = join(import.meta.dirname, "limited-service.ts");
  const child = spawn(process.execPath, ["--conditions=@cloud-browser/source", program, data], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url, apiKey } = addressForm.parse(JSON.parse(String(line)));
  const ask: LimitedService["ask"] = (method, path, body) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const { pid = 0 } = child;
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
  };
  return {
    ask,
    view: async (id) => readAnswer<SessionView>(await ask("GET", `/control/sessions/${id}`)),
    setDiskFull: (isFull) => setDiskFull(pid, isFull),
    kill,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      await setDiskFull(pid, false);
      child.kill("SIGTERM");
      await kill();
    },
  };
}
