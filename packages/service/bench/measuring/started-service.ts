import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const message = z.union([
  z.object({ url: z.string(), key: z.string() }),
  z.object({ session: z.number(), atMs: z.number() }),
]);
const sessionForm = z.object({ session_id: z.string(), cdp_url: z.string() });

/** A service in a process of its own. */
export interface StartedService extends AsyncDisposable {
  /** The process. */
  readonly pid: number;
  /** Pictures that are safe, by session in the order of their creation: their moments. */
  readonly pictureMoments: ReadonlyMap<number, readonly number[]>;
  /** Sends a request with the key. */
  readonly ask: (method: string, path: string, body?: object) => Promise<Response>;
  /** Creates a session. */
  readonly open: (options?: object) => Promise<z.infer<typeof sessionForm>>;
  /** Ends the process at once. Resolves when it is gone, and all is read that it said. */
  readonly kill: () => Promise<void>;
}

const program = fileURLToPath(new URL("service-process.ts", import.meta.url));

/** Starts one; resolves when it answers. */
export async function startServiceProcess(data: string, sessions = 20): Promise<StartedService> {
  const args = ["--conditions=@cloud-browser/source", program, data, String(sessions)];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closing = once(child, "close");
  const { stdout } = child;
  if (!stdout || child.pid === undefined) throw new Error("The service could not be started.");
  const pictureMoments = new Map<number, number[]>();
  const ready = Promise.withResolvers<{ url: string; key: string }>();
  createInterface(stdout).on("line", (line) => {
    const news = message.parse(JSON.parse(line));
    if ("url" in news) return ready.resolve(news);
    const moments = pictureMoments.get(news.session) ?? [];
    pictureMoments.set(news.session, moments);
    moments.push(news.atMs);
  });
  void closing.then(() => ready.reject(new Error("The service ended before it answered.")));
  const { url, key } = await ready.promise;
  const ask: StartedService["ask"] = (method, path, body) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await closing;
  };
  return {
    pid: child.pid,
    pictureMoments,
    ask,
    open: async (options = {}) => {
      const response = await ask("POST", "/control/sessions", options);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return sessionForm.parse(await response.json());
    },
    kill: () => end("SIGKILL"),
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  };
}
