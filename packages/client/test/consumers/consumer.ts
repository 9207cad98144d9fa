import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import manifest from "../../../../package.json" with { type: "json" };

const execute = promisify(execFile);
const clientFolder = fileURLToPath(new URL("../..", import.meta.url));
const streamFolder = join(clientFolder, "../stream");
const programs = fileURLToPath(new URL(".", import.meta.url));

/**
 * `require` of a package that is an ES module: compiled by TypeScript 5.8 and later, and run by Node.js 20.19, 22.12 and later.
 * No file of its own, as its syntax is not erasable.
 */
const required = `import client = require("@cloud-browser/client");
import cookies = require("@cloud-browser/client/cookies");
import replay = require("@cloud-browser/client/replay");

const browser: client.CloudBrowser = client.createCloudBrowser({ apiKey: "key", baseUrl: "https://service.example" });
const error: client.ClientErrorCode = new client.ClientError("misuse", "x").code;
const { header } = cookies.toCookieHeader([], "https://a.example/");
const { segments } = replay.parsePlaylist("#EXTM3U\\n#EXT-X-TARGETDURATION:4\\n#EXTINF:4,\\na.ts\\n");
console.log(JSON.stringify([typeof browser.scrape, error, header, segments.length]));
`;

/** A program with a mistake in each of the lines 6 to 9. */
const wrong = `import { createCloudBrowser, type ClientErrorCode } from "@cloud-browser/client";
import { toCookieHeader } from "@cloud-browser/client/cookies";
const client = createCloudBrowser();
const { structured } = await client.scrape("s", { instructions: "piers" });
export const cookies = await client.cookies("s");
export const data = structured.data;
export const page = client.scrape("s", { only_image: true });
export const code: ClientErrorCode = "none";
export const { header } = toCookieHeader(cookies, 1);
`;

/** A project outside the workspace that has the built packages installed as a registry would give them. */
export interface Consumer extends Disposable {
  /** The folder with the programs and `node_modules`. */
  readonly folder: string;
  /** What the tarball of the client holds, as paths. */
  readonly files: readonly string[];
}

/** Packs the builds, and puts the tarballs, openapi-fetch and the types of Node.js in place. Asks no registry. */
export async function makeConsumer(): Promise<Consumer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "client-consumer-")));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (const [name, from] of [
      ["client", clientFolder],
      ["stream", streamFolder],
    ] as const) {
      await unpack(await pack(from, join(folder, "packed", name)), join(folder, "node_modules/@cloud-browser", name));
    }
    // As they lie in the store of pnpm, beside what they need.
    link(join(clientFolder, "node_modules/openapi-fetch"), join(folder, "node_modules/openapi-fetch"));
    link(join(clientFolder, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
    link(join(clientFolder, "node_modules/types-node20"), join(folder, "oldest/node"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    for (const name of ["tour.ts", "imported.cts"]) cpSync(join(programs, name), join(folder, name));
    writeFileSync(join(folder, "required.cts"), required);
    writeFileSync(join(folder, "wrong.ts"), wrong);
    const files = readdirSync(join(folder, "node_modules/@cloud-browser/client"), { recursive: true }).map(String);
    return { folder, files, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Compiles programs of the consumer; gives back what the compiler complains of, and leaves JavaScript in `out`. */
export async function compile(typescript: string, { folder }: Consumer, config: object): Promise<string> {
  const file = join(folder, `tsconfig-${Math.random().toString(36).slice(2)}.json`);
  writeFileSync(file, JSON.stringify(config));
  const tsc = join(dirname(createRequire(import.meta.url).resolve(`${typescript}/package.json`)), "bin/tsc");
  return execute(process.execPath, [tsc, "--project", file, "--pretty", "false"], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(error instanceof Error && "stdout" in error && error.stdout ? error.stdout : error),
  );
}

/** Runs a compiled program, and gives back what it wrote. */
export async function run({ folder }: Consumer, file: string): Promise<string> {
  const { stdout, stderr } = await execute(process.execPath, [join(folder, file)], { cwd: folder });
  return stdout + stderr;
}

async function pack(from: string, to: string): Promise<string> {
  mkdirSync(to, { recursive: true });
  await execute("npx", ["--yes", manifest.packageManager, "pack", "--pack-destination", to], { cwd: from });
  return join(to, readdirSync(to)[0] ?? "");
}

async function unpack(tarball: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  await execute("tar", ["-xzf", tarball, "-C", to, "--strip-components=1"]);
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(realpathSync(from), to);
}
