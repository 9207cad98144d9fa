/**
 * The documentation site.
 *
 *   npm run docs                builds it, and serves it on loopback
 *   npm run docs -- --build     only builds it, into docs/dist
 *   npm run docs -- --port N    serves it on another port than 4321; 0: any free one
 *
 * `DOCS_URL` is the public address that it is built for, `DOCS_REPOSITORY_URL` that of the files of the repository, such as
 * `https://git.example/cloud-browser/blob/main`. Without them the site has no address, and its links to files are text.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serveSite } from "./serve-site.ts";
import { listSitePages } from "./site-pages.ts";
import type { SiteAddress } from "./page.ts";
import { stagePages } from "./stage.ts";

const docs = new URL("../", import.meta.url);
const values = readFlags();
const port = Number(values.port);
if (!/^\d+$/.test(values.port) || port > 65_535) fail(`--port is ${values.port}; give a number from 0 to 65535`);

await install();
const address = readAddress(process.env["DOCS_URL"]);
console.log("Collecting the pages …");
stagePages(await listSitePages(), address);
await run(process.execPath, [getModulePath("astro/bin/astro.mjs"), "build"], "the site could not be built; see above");
if (values.build === true) console.log(`Built: ${fileURLToPath(new URL("dist/index.html", docs))}`);
else console.log(`The site is at ${await serve()}${address.base}/ ; Ctrl-C ends it.`);

function readFlags(): { readonly build?: boolean; readonly port: string } {
  try {
    return parseArgs({ options: { build: { type: "boolean" }, port: { type: "string", default: "4321" } } }).values;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}; the flags are --build and --port`);
  }
}

/** Serves the site, and returns its address. */
async function serve(): Promise<string> {
  try {
    return (await serveSite(port, address.base)).url;
  } catch (error) {
    return fail(
      `port ${port} can't be listened on (${String(error)}); give another one with --port, or 0 for any free one`,
    );
  }
}

/** Installs the dependencies of the site, unless that was done from the same lockfile. */
async function install(): Promise<void> {
  const stamp = new URL("node_modules/.installed-from", docs);
  const lockfile = readFileSync(new URL("package-lock.json", docs));
  const from = createHash("sha256").update(lockfile).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === from) return;
  console.log("Installing what the site needs …");
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], "npm ci failed; see above");
  writeFileSync(stamp, from);
}

function readAddress(url: string | undefined): SiteAddress {
  if (url !== undefined && !URL.canParse(url))
    fail("DOCS_URL is not a URL; give one such as https://docs.example.com/cloud-browser");
  const base = url === undefined ? "" : new URL(url).pathname.replace(/\/$/, "");
  return { url, base, repositoryUrl: process.env["DOCS_REPOSITORY_URL"]?.replace(/\/$/, "") };
}

function getModulePath(path: string): string {
  return fileURLToPath(new URL(`node_modules/${path}`, docs));
}

/** Runs a program in the folder of the site, on the Node.js that runs this, and without telemetry. */
async function run(program: string, args: readonly string[], otherwise: string): Promise<void> {
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const child = spawn(program, args, {
    cwd: fileURLToPath(docs),
    stdio: "inherit",
    env: { ...makeEnvironment(), PATH: path, ASTRO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
    shell: process.platform === "win32" && program === "npm",
  });
  const [status] = await once(child, "close");
  if (status !== 0) fail(otherwise);
}

/**
 * Returns the environment without what the build would take for its own `import.meta.env`, which test runners set: in another mode than that
 * of production a site has no search.
 */
function makeEnvironment(): NodeJS.ProcessEnv {
  const { DEV: _dev, PROD: _prod, MODE: _mode, SSR: _ssr, BASE_URL: _base, SITE: _site, ...rest } = process.env;
  return { ...rest, NODE_ENV: "production" };
}

function fail(message: string): never {
  console.error(`docs: ${message}`);
  process.exit(2);
}
