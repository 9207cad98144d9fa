/** A release in a registry, and an empty project that installs from there. */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readRelease } from "../src/release-record.ts";
import { listInstallScripts, parseLock } from "./install-scripts.ts";
import { startLocalRegistry, type LocalRegistry } from "./local-registry.ts";
import { packageManagers, Project, type Ended, type Variables } from "./package-managers.ts";
import { findFirstExample, listForeignInstalls, listReadmes, type ReadmeExample } from "./readme-examples.ts";
import { uses } from "./uses.ts";

const execute = promisify(execFile);
const publishCli = fileURLToPath(new URL("../src/publish-cli.ts", import.meta.url));
const release = inject("releaseFolder");
const { packages } = readRelease(release);
const readmes = listReadmes();
const examples = readmes.flatMap((file): [string, ReadmeExample][] => {
  const example = findFirstExample(file);
  return example ? [[file, example]] : [];
});

const npm = packageManagers[0];
if (npm === undefined) throw new Error("no package manager");
const folder = mkdtempSync(join(inject("packedFolder"), "registry-"));
const project = new Project(join(folder, "project"), npm);

let registry: LocalRegistry;
/** What the publication said. */
let published: string[];
/** A mock of the contract, from the installed packages. */
let mock: { readonly url: string; stop(): void };

const publish = async (...args: string[]): Promise<string[]> => {
  const env = { ...process.env, ...registry.env };
  const { stdout } = await execute(process.execPath, [publishCli, release, ...args], { env });
  return stdout.trim().split("\n");
};

beforeAll(async () => {
  registry = await startLocalRegistry(join(folder, "verdaccio"));
  published = await publish("--registry", registry.url);
  const versions = Object.fromEntries(
    packages.filter(({ name }) => !name.includes("ffmpeg")).map(({ name, version }) => [name, version]),
  );
  const others = listForeignInstalls(readmes).map((word) => /^(.+?)(?:@([^@/]+))?$/.exec(word)?.slice(1) ?? []);
  const foreign = Object.fromEntries(others.map(([name = "", version]) => [name, version ?? "latest"]));
  project.write(".npmrc", `@cloud-browser:registry=${registry.url}\n`);
  const { code, output } = await project.installVersions({ ...foreign, ...versions });
  if (code !== 0) throw new Error(`npm could not install the packages: ${output}`);
  mock = await startMock();
}, 900_000);

afterAll(async () => {
  mock?.stop();
  await registry?.[Symbol.asyncDispose]();
});

test("a release of what is not committed goes to no registry but one on loopback", async () => {
  const stderr: unknown = expect.stringContaining("this release is not to be published");
  await expect(publish()).rejects.toMatchObject({ stderr });
  await expect(publish("--registry", "https://registry.example.com")).rejects.toMatchObject({ stderr });
});

test("all packages of the release are published, a second time none, and a tarball that was altered never", async () => {
  expect(published).toEqual(packages.map(({ name, version }) => `${name} ${version} published`));
  const refusals = packages.map(({ name, version }) => `${name} ${version} is published already`);
  expect(await publish("--registry", registry.url)).toEqual(refusals);
  const tarball = join(release, packages[0]?.file ?? "");
  const bytes = readFileSync(tarball);
  writeFileSync(tarball, "altered");
  const stderr: unknown = expect.stringContaining(`not as SHA256SUMS of ${release} says: ${packages[0]?.file}`);
  await expect(publish("--registry", registry.url)).rejects.toMatchObject({ stderr });
  writeFileSync(tarball, bytes);
}, 300_000);

test("an empty project gets the tarballs of the release, and nothing that they bring runs a script", () => {
  const lock = parseLock(readFileSync(join(project.folder, "package-lock.json"), "utf8"));
  const own = Object.entries(lock.packages).filter(([path]) => path.includes("@cloud-browser/"));
  const installed = own.map(([path, { integrity }]) => [path, integrity]);
  const released = packages.map(({ name, file }) => {
    const digest = createHash("sha512")
      .update(readFileSync(join(release, file)))
      .digest("base64");
    return [`node_modules/${name}`, `sha512-${digest}`];
  });
  expect(Object.fromEntries(installed)).toEqual(Object.fromEntries(released));
  const places = own.map(([place]) => place);
  expect(listInstallScripts(lock, places)).toEqual([]);
  // What the READMEs install beside them does run some: they would be seen.
  expect(listInstallScripts(lock, Object.keys(lock.packages))).not.toEqual([]);
});

test.each(uses)(
  "what $name is for can be done with it",
  async ({ program, expected }) => {
    const { output } = await project.program(program);
    for (const text of expected) expect(output).toMatch(text);
  },
  300_000,
);

test("each README of a package that has an API begins with an example", () => {
  const lacking = readmes.filter((file) => !examples.some(([name]) => name === file));
  expect(lacking).toEqual(["packages/ffmpeg-linux-x64/README.md"]);
});

test.each(examples)(
  "the first example of %s runs",
  async (file, example) => {
    const variables = {
      CLOUD_BROWSER_BASE_URL: mock.url,
      CLOUD_BROWSER_AUTOMATION_URL: mock.url,
      CLOUD_BROWSER_API_KEY: "any-key",
    };
    const results = await runExample(file.replaceAll(/\W/g, "-"), example, variables);
    // A program that only defines something prints nothing.
    const pattern = example.language === "sh" || example.code.includes("console.") ? /\S/ : /^$/;
    expect(results).toEqual(results.map(() => ({ code: 0, output: expect.stringMatching(pattern) })));
  },
  300_000,
);

/** Runs a program, or command after command. */
async function runExample(name: string, { language, code }: ReadmeExample, env: Variables): Promise<Ended[]> {
  if (language === "ts") return [await project.program(code, { file: `${name}.ts`, env })];
  const all: Ended[] = [];
  for (const command of code.split("\n")) {
    all.push(await project.command(command.split(/\s+/), { env, until: /http:\/\/127\.0\.0\.1:\d+/ }));
  }
  return all;
}

async function startMock(): Promise<{ url: string; stop(): void }> {
  const program = `import { startPrism } from "@cloud-browser/conformance";
const mock = await startPrism();
console.log(mock.url);
process.stdin.resume().once("end", () => mock.stop());`;
  writeFileSync(join(project.folder, "mock.mjs"), program);
  const child = spawn(process.execPath, ["mock.mjs"], { cwd: project.folder, stdio: ["pipe", "pipe", "inherit"] });
  const [url]: unknown[] = await once(createInterface(child.stdout), "line");
  return { url: String(url), stop: () => child.stdin.end() };
}
