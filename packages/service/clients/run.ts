// Lets each tool drive a session of a service started from sources, and compares what worked with the table of docs/reference/drivers.md:
//
//   node --conditions=@cloud-browser/source clients/run.ts [--only lighthouse,playwright-1.40] [--write]
//
// Exit code 0: the table is true. 1: it is not; --write writes the table instead. 2: unknown client.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { RunningService } from "../src/running-service.ts";
import { startService } from "../src/service.ts";
import { clients, type DrivingClient } from "./clients.ts";
import { startSite, type Site } from "./site.ts";
import { listCells, rowsIn, writeTable, withTable, type Outcome, type Row } from "./table.ts";

/** How long one client may take, in milliseconds. */
const patienceMs = 10 * 60_000;

/** Words of the service: who reads them knows why, and what to do. */
const refusal = /uploaded to its session first|is not available/;

const here = fileURLToPath(new URL(".", import.meta.url));
const pagePath = fileURLToPath(new URL("../../../docs/reference/drivers.md", import.meta.url));

const { values } = parseArgs({ options: { only: { type: "string" }, write: { type: "boolean", default: false } } });
const getName = ({ as, dependency }: DrivingClient): string => as ?? dependency;
const only = values.only?.split(",") ?? clients.map(getName);
const unknown = only.filter((name) => !clients.some((client) => getName(client) === name));
if (unknown.length > 0) {
  console.error(`unknown client ${unknown.join(", ")}; known: ${clients.map(getName).join(", ")}`);
  process.exit(2);
}

install();
const folder = await mkdtemp(join(tmpdir(), "cloud-browser-clients-"));
const site = await startSite();
const service = await startService({ allow: ["127.0.0.1"], data: join(folder, "service") });
try {
  const rows: Row[] = [];
  for (const client of clients.filter((one) => only.includes(getName(one))))
    rows.push(await readRow(client, service, site));
  await compare(rows);
} finally {
  await service.close();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

/** Installs what the lockfile says, without running anything of it; nothing when that was done already. */
function install(): void {
  const installed = join(here, "node_modules", ".package-lock.json");
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  if (existsSync(installed) && !spawnSync("npm", ["ls", "--silent"], { cwd: here }).status) return;
  console.log("installing the clients ...");
  const { status } = spawnSync("npm", args, { cwd: here, stdio: "inherit" });
  if (status !== 0) throw new Error("the clients could not be installed; what npm said stands above");
}

async function readRow(client: DrivingClient, running: RunningService, { url }: Site): Promise<Row> {
  const name = getName(client);
  const version = await readVersion(client.dependency);
  console.log(`${client.title} ${version}`);
  const own = join(folder, name.replaceAll("/", "-"));
  await mkdir(own);
  const file = join(own, "file.txt");
  await writeFile(file, "brought along");
  const session = await running.open({ url });
  const outcomes = new Map<string, Outcome>();
  const files = `${running.url}/control/sessions/${session.session_id}/files`;
  const env = {
    ...process.env,
    CDP_URL: session.cdp_url,
    SITE: url,
    FILE: file,
    FOLDER: own,
    CLIENT: name,
    FILES: files,
    KEY: running.apiKey,
  };
  for await (const line of getLines(join(here, "programs", `${client.program}.mjs`), env)) {
    if (!line.startsWith('{"step":')) continue;
    const { step, why }: { step: string; why: string | null } = JSON.parse(line);
    outcomes.set(step, why === null ? "yes" : refusal.test(why) ? "refused" : "no");
    // A token is in the address.
    const reason = why
      ?.replaceAll(/token=[\w-]+/g, "token=...")
      .split("\n")
      .join(" ")
      .slice(0, 300);
    console.log(`  ${step}: ${outcomes.get(step)}${reason === undefined ? "" : ` (${reason})`}`);
  }
  await running.end(session.session_id);
  if (outcomes.size === 0) outcomes.set("connect", "no");
  return { client: `${client.title} ${version}`, outcomes };
}

async function readVersion(dependency: string): Promise<string> {
  const manifest: { version: string } = JSON.parse(
    await readFile(join(here, "node_modules", dependency, "package.json"), "utf8"),
  );
  return manifest.version;
}

/** What a program prints, until it ends or has taken too long. */
async function* getLines(program: string, env: NodeJS.ProcessEnv): AsyncGenerator<string> {
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (data: Buffer) => (complaint = (complaint + data.toString()).slice(-2_000)));
  const late = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  yield* createInterface({ input: child.stdout });
  if ((await exit) !== 0) console.log(`  the program failed: ${complaint}`);
  clearTimeout(late);
}

async function compare(rows: readonly Row[]): Promise<void> {
  const page = await readFile(pagePath, "utf8");
  console.log(`\n${writeTable(rows)}`);
  if (values.write) {
    if (values.only !== undefined) throw new Error("--write needs all clients: leave --only out");
    return writeFile(pagePath, withTable(page, writeTable(rows)));
  }
  const cellsOnPage = rowsIn(page);
  const untrue = rows.filter((row) => listCells(row).join("|") !== cellsOnPage.get(row.client)?.join("|"));
  for (const { client } of untrue)
    console.error(`the page says of ${client}: ${cellsOnPage.get(client)?.join(" | ") ?? "nothing"}`);
  const missing = [...cellsOnPage.keys()].filter(
    (name) => values.only === undefined && !rows.some(({ client }) => client === name),
  );
  for (const name of missing) console.error(`the page tells of ${name}, which is not tried`);
  process.exitCode = untrue.length + missing.length > 0 ? 1 : 0;
}
