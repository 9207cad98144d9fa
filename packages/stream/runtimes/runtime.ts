import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execute } from "./execute.ts";

const binaries = fileURLToPath(new URL("binaries", import.meta.url));
const installed = join(binaries, "node_modules");
const program = (name: string): string => join(installed, ".bin", name);

/** A runtime that the package is tested in. */
export interface Runtime {
  /** What `--only` calls it. */
  readonly name: string;
  /** The command that prints its version. */
  readonly version: readonly [program: string, ...args: string[]];
  /** How it is put in place when it is missing. */
  readonly remedy: string;
  /** The command that runs its entry in the consumer's folder, against the server at `origin`. */
  command(origin: string): readonly [program: string, ...args: string[]];
}

/** Every runtime, in the order of the table. */
export const runtimes: Runtime[] = [
  ...["node20", "node22", "node24", "node26"].map((name) =>
    fromNpm(name, join(installed, name, "bin/node"), (origin) => ["node.mjs", "sse-cases.json", origin]),
  ),
  fromNpm("bun", program("bun"), (origin) => ["bun.mjs", "sse-cases.json", origin]),
  fromNpm("deno", program("deno"), (origin) => {
    return ["run", "--no-remote", "--allow-read", "--allow-net=127.0.0.1", "deno.mjs", "sse-cases.json", origin];
  }),
  fromNpm("workerd", program("workerd"), () => ["test", "workerd.capnp"]),
  {
    name: "chromium",
    version: [process.execPath, join(binaries, "chromium.mjs"), "--version"],
    remedy: `remove ${installed} and run this again, or set CHROMIUM_PATH to an executable`,
    command: (origin) => [process.execPath, join(binaries, "chromium.mjs"), origin],
  },
];

function fromNpm(name: string, executable: string, args: (origin: string) => string[]): Runtime {
  const remedy = `remove ${installed} and run this again`;
  return { name, version: [executable, "--version"], remedy, command: (origin) => [executable, ...args(origin)] };
}

/** Installs the runtimes that come from npm, unless that was done since their lockfile changed. */
export async function installRuntimes(): Promise<void> {
  const stamp = join(installed, ".package-lock.json"); // npm writes it last
  const changed = statSync(join(binaries, "package-lock.json")).mtimeMs;
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= changed) return;
  console.error("Installing the runtimes: about 1.1 GB on disk …");
  await execute("npm", ["install", "--no-save", "--no-audit", "--no-fund"], { cwd: binaries });
}
