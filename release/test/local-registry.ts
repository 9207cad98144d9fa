import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A registry of npm on loopback, which knows what was published to it and nothing else. */
export interface LocalRegistry extends AsyncDisposable {
  /** Its address. */
  readonly url: string;
  /** Variables of the environment by which npm may publish to it. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts a Verdaccio, which npm fetches.
 *
 * @param folder - Where it keeps its files.
 */
export async function startLocalRegistry(folder: string): Promise<LocalRegistry> {
  mkdirSync(folder, { recursive: true });
  const address = `127.0.0.1:${await findFreePort()}`;
  const config = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    packages: { "**": { access: "$all", publish: "$authenticated" } },
    // The ffmpeg is 24 MB, and grows as base64.
    max_body_size: "100mb",
    server: { keepAliveTimeout: 0 },
    log: { type: "stdout", format: "json", level: "error" },
  };
  const file = join(folder, "config.json");
  writeFileSync(file, JSON.stringify(config));
  await install(folder);
  const program = join(folder, "node_modules", "verdaccio", "bin", "verdaccio");
  const args = [program, "--config", file, "--listen", address];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => output.push(text));
  let ended = false;
  const end = once(child, "exit").finally(() => (ended = true));
  const url = `http://${address}/`;
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await end;
  };
  try {
    while (!(await checkAnswer(`${url}-/ping`))) {
      if (ended) throw new Error(`the registry did not start: ${output.join("").slice(-2_000)}`);
    }
    const settings = join(folder, "npmrc");
    const own = process.env["NPM_CONFIG_USERCONFIG"] ?? join(homedir(), ".npmrc");
    const ownSettings = existsSync(own) ? `${readFileSync(own, "utf8")}\n` : "";
    writeFileSync(settings, `${ownSettings}//${address}/:_authToken=${await register(url)}\n`, { mode: 0o600 });
    return { url, env: { NPM_CONFIG_USERCONFIG: settings }, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One of its parts wants a tag of `node-fetch` (cjs) that not every mirror of the registry has. */
async function install(folder: string): Promise<void> {
  const dependencies = { verdaccio: "6.10.4" };
  const manifest = { private: true, dependencies, overrides: { "node-fetch": "2.7.0" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  await promisify(execFile)("npm", args, { cwd: folder });
}

async function register(url: string): Promise<string> {
  const user = { name: "trial", password: crypto.randomUUID() };
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}-/user/org.couchdb.user:${user.name}`, {
    method: "PUT",
    headers,
    body: JSON.stringify(user),
  });
  const answer: unknown = await response.json();
  if (typeof answer === "object" && answer !== null && "token" in answer) return String(answer.token);
  throw new Error(`the registry gave no token: ${JSON.stringify(answer)}`);
}

/** Waits a moment where nothing listens yet. */
async function checkAnswer(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok) return true;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return false;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("no free port on 127.0.0.1");
  return address.port;
}
