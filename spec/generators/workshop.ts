import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const modules = join(here, "node_modules");

/** How a program ended. */
export interface ProgramResult {
  /** Its exit code; undefined when it could not be started or was killed. */
  readonly code: number | undefined;
  /** What it wrote to its standard output. */
  readonly stdout: string;
  /** What it wrote, to both outputs. */
  readonly output: string;
}

/** A folder outside of the repository, in which clients are generated, compiled and bundled. */
export interface Workshop extends Disposable {
  readonly folder: string;
  /** Runs a program of the installed packages, or a script as `node:NAME`, in the folder. */
  run(program: string, ...args: string[]): Promise<ProgramResult>;
  /** All that a generator wrote below a folder, as one text. */
  readCode(name: string): string;
}

/** Installs what package-lock.json names, unless it is installed already. */
export async function installGenerators(): Promise<void> {
  const lock = createHash("sha256")
    .update(readFileSync(join(here, "package-lock.json")))
    .digest("hex");
  const stamp = join(modules, ".installed-from");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("Installing the generators (700 MB, once) …");
  const { code, output } = await execute(
    "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"],
    here,
  );
  if (code !== 0) throw new Error(`npm ci failed in spec/generators: ${output.slice(-2000)}`);
  writeFileSync(stamp, lock);
}

/** Makes the folder, with the consumers, the configurations and a document in it. */
export function openWorkshop(document: string): Workshop {
  const folder = mkdtempSync(join(tmpdir(), "generators-"));
  symlinkSync(modules, join(folder, "node_modules"), "dir");
  cpSync(join(here, "consumers"), join(folder, "consumers"), { recursive: true });
  cpSync(join(here, "configs"), folder, { recursive: true });
  mkdirSync(join(folder, "openapi-zod-client")); // which does not make the folder that it writes to
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }\n');
  writeFileSync(join(folder, "openapi.json"), document);
  return {
    folder,
    run: (program, ...args) =>
      execute(
        process.execPath,
        [program.startsWith("node:") ? program.slice(5) : findBinary(program), ...args],
        folder,
      ),
    readCode: (name) =>
      readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => readFileSync(join(folder, name, file), "utf8"))
        .join("\n"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The exact version of a package that package.json names. */
export function getVersion(name: string): string {
  return getManifest(here).dependencies?.[name] ?? "none";
}

interface Manifest {
  readonly bin?: string | Record<string, string>;
  readonly dependencies?: Record<string, string>;
}

function getManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The script of a program, written `package` or `package:program`. */
export function findBinary(program: string): string {
  const [name = "", bin = ""] = program.split(":");
  const { bin: bins } = getManifest(join(modules, name));
  const script = typeof bins === "string" ? bins : (bins?.[bin] ?? Object.values(bins ?? {})[0]);
  return join(modules, name, script ?? "");
}

async function execute(file: string, args: string[], cwd: string): Promise<ProgramResult> {
  const env = {
    ...process.env,
    NO_COLOR: "1",
    DO_NOT_TRACK: "1",
    SCARF_ANALYTICS: "false",
    REDOCLY_TELEMETRY: "off",
    CI: "1",
  };
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: 300_000, maxBuffer: 1e8 };
    execFile(file, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : undefined;
      resolve({ code, stdout, output: `${stdout}${stderr}` });
    });
  });
}
