import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { Packed } from "./pack-all.ts";

const execute = promisify(execFile);

/** A package manager, and how a project that uses it is made and run. */
export interface PackageManager {
  /** Its name, and the way in which it lays packages down. */
  readonly name: string;
  /** The files that it needs beside `package.json`, by name. */
  readonly files: (overrides: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** What it needs in `package.json`. */
  readonly manifest: (overrides: Readonly<Record<string, string>>) => object;
  /** Installs. */
  readonly install: readonly string[];
  /** Comes before the arguments of Node.js. */
  readonly node: readonly string[];
}

const yarn = ["npx", "--yes", "--package=@yarnpkg/cli-dist@4.18.1", "yarn"];
const makeYarnFile = (linker: string): string =>
  `nodeLinker: ${linker}\nenableTelemetry: false\nenableGlobalCache: true\nenableImmutableInstalls: false\n`;

/** Those that people use. */
export const packageManagers: readonly PackageManager[] = [
  {
    name: "npm",
    files: () => ({}),
    manifest: (overrides) => ({ overrides }),
    install: ["npm", "install", "--no-audit", "--no-fund"],
    node: ["node"],
  },
  {
    name: "pnpm",
    files: (overrides) => ({ "pnpm-workspace.yaml": JSON.stringify({ overrides }) }),
    manifest: () => ({}),
    install: ["npx", "--yes", "pnpm@12.21.0", "install", "--no-frozen-lockfile"],
    node: ["node"],
  },
  {
    name: "Yarn with node_modules",
    files: () => ({ ".yarnrc.yml": makeYarnFile("node-modules"), "yarn.lock": "" }),
    manifest: (resolutions) => ({ resolutions }),
    install: [...yarn, "install"],
    node: ["node"],
  },
  {
    name: "Yarn Plug'n'Play",
    files: () => ({ ".yarnrc.yml": makeYarnFile("pnp"), "yarn.lock": "" }),
    manifest: (resolutions) => ({ resolutions }),
    install: [...yarn, "install"],
    node: [...yarn, "node"],
  },
  {
    name: "Bun",
    files: () => ({}),
    manifest: (overrides) => ({ overrides }),
    install: ["npx", "--yes", "bun@1.4.5", "install"],
    node: ["node"],
  },
];

/** Variables of the environment, by name. */
export type Variables = Readonly<Record<string, string>>;

/** Where a program is written, and what it is given. */
export interface ProgramFile {
  /** Default: program.mjs. */
  readonly file?: string;
  readonly env?: Variables;
}

/** How a program ended, and what it wrote. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** A project with packages installed from their tarballs, and all else from the registry. */
export class Project {
  readonly folder: string;
  readonly #manager: PackageManager;

  constructor(folder: string, manager: PackageManager) {
    this.folder = folder;
    this.#manager = manager;
    mkdirSync(folder, { recursive: true });
  }

  /** Installs packages as a person would who has only these names in `package.json`. */
  install(names: readonly string[], packed: Readonly<Record<string, Packed>>): Promise<Ended> {
    const overrides = Object.fromEntries(
      Object.entries(packed).map(([name, { tarball }]) => [name, `file:${tarball}`]),
    );
    const dependencies = Object.fromEntries(names.map((name) => [name, overrides[name]]));
    const manifest = { private: true, type: "module", dependencies, ...this.#manager.manifest(overrides) };
    writeFileSync(join(this.folder, "package.json"), JSON.stringify(manifest, undefined, 2));
    for (const [name, text] of Object.entries(this.#manager.files(overrides)))
      writeFileSync(join(this.folder, name), text);
    return this.#run(this.#manager.install);
  }

  /** Installs packages in these versions, from the registries that the project's settings name. */
  installVersions(dependencies: Readonly<Record<string, string>>): Promise<Ended> {
    this.write("package.json", JSON.stringify({ private: true, type: "module", dependencies }, undefined, 2));
    return this.#run(this.#manager.install);
  }

  /** Writes a file of the project. */
  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Runs a program of the project. */
  program(text: string, { file = "program.mjs", env = {} }: ProgramFile = {}): Promise<Ended> {
    this.write(file, text);
    return this.#run([...this.#manager.node, file], env);
  }

  /** Runs a command to its end, or, where it is a server, until it says where it listens. */
  async command(words: readonly string[], { env, until }: { env: Variables; until: RegExp }): Promise<Ended> {
    const [file = "", ...args] = words;
    const child = spawn(file, args, { cwd: this.folder, env: { ...makeOwnEnvironment(), ...env }, detached: true });
    let output = "";
    let isServing = false;
    const hear = (text: string): void => {
      output += text;
      if (isServing || !words.includes("serve") || !until.test(output)) return;
      isServing = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", hear);
    const [code]: unknown[] = await once(child, "close");
    return { code: isServing ? 0 : Number(code ?? 1), output };
  }

  /** Names of the installed packages that run something when they are installed. */
  installScripts(): string[] {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name === "package.json" && entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return files.flatMap((file) => {
      const { name, scripts } = manifestForm.parse(JSON.parse(readFileSync(file, "utf8")));
      return name !== undefined && (scripts?.preinstall || scripts?.install || scripts?.postinstall) ? [name] : [];
    });
  }

  async #run([file = "", ...args]: readonly string[], variables: Variables = {}): Promise<Ended> {
    const env = { ...makeOwnEnvironment(), ...variables };
    const program = file === "node" ? process.execPath : file;
    return execute(program, args, { cwd: this.folder, env, maxBuffer: 2 ** 26 }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: unknown) => failureForm.parse(error),
    );
  }
}

/** As on a machine of their own: nothing of the package manager that runs these tests, and the Node.js that runs them. */
function makeOwnEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm|pnpm|yarn|NODE_OPTIONS|NODE_PATH|VITEST|CI$)/i.test(name),
  );
  return { ...Object.fromEntries(inherited), NO_COLOR: "1", CI: "" };
}

const manifestForm = z
  .looseObject({
    name: z.string().optional().catch(undefined),
    scripts: z
      .looseObject({
        preinstall: z.string().optional(),
        install: z.string().optional(),
        postinstall: z.string().optional(),
      })
      .optional()
      .catch(undefined),
  })
  .catch({});

const failureForm = z
  .looseObject({ code: z.number().catch(1), stdout: z.string().catch(""), stderr: z.string().catch("") })
  .transform(({ code, stdout, stderr }): Ended => ({ code, output: stdout + stderr }));
