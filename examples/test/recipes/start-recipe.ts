import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { getTold } from "./pages.ts";

/** What a recipe printed, and how it ended. */
export interface RecipeResult {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly stderr: string;
  /** Whether it printed what the page of the recipe says. */
  readonly isAsTold: boolean;
}

/** Node.js compiles the sources for the first recipe, and not again for each. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL("../../node_modules/.cache/node-compile", import.meta.url));

/** A recipe that runs. */
export interface RunningRecipe {
  /** Resolves with what a line matches, as soon as one is printed that does. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when the recipe has ended. */
  readonly result: Promise<RecipeResult>;
  /** Sends it a signal. */
  kill(signal: NodeJS.Signals): void;
}

/** Starts a recipe as its own process. */
export function startRecipe(
  file: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): RunningRecipe {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CLOUD_BROWSER_"));
  const path = fileURLToPath(new URL(`../../recipes/${file}`, import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@cloud-browser/source", path, ...args], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { NODE_COMPILE_CACHE, ...Object.fromEntries(inherited), ...env },
  });
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    child.emit("line");
  });
  const result = once(child, "close").then(([code]) => {
    const isAsTold = getTold(`recipes/${file}`).test(stdout.trimEnd());
    return { code, lines: stdout.trimEnd().split("\n"), stderr, isAsTold };
  });
  void result.then(() => child.emit("line"));
  return {
    result,
    kill: (signal) => void child.kill(signal),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stdout);
          if (match) resolve(match);
          else if (child.exitCode !== null) reject(new Error(`${file} ended; it printed: ${stdout}${stderr}`));
          else child.once("line", look);
        };
        look();
      }),
  };
}

/** Runs a recipe to its end. */
export function runRecipe(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RecipeResult> {
  return startRecipe(file, { args, env }).result;
}

/** The environment in which a recipe calls a service. */
export function makeEnv(url: string, key = "key"): Record<string, string> {
  return { CLOUD_BROWSER_BASE_URL: url, CLOUD_BROWSER_AUTOMATION_URL: url, CLOUD_BROWSER_API_KEY: key };
}

/** A proxy on loopback, for plain http and tunnels, that counts what goes through it. */
export interface CountingProxy extends AsyncDisposable {
  readonly url: string;
  /** Requests and tunnels so far. */
  count(): number;
}

/** Starts a proxy. */
export async function startProxy(): Promise<CountingProxy> {
  let count = 0;
  const server: Server = createServer((incoming, outgoing) => {
    count++;
    const { url = "", method, headers } = incoming;
    incoming.pipe(
      request(url, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  server.on("connect", ({ url = "" }, socket) => {
    count++;
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    target.pipe(socket).pipe(target);
    for (const end of [target, socket]) end.on("error", () => void end.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    count: () => count,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
