// Runs a part of `npm test`, which is what its last lines say of a failure:
//
//   npm test -- <file or folder of a package …> [--test <full name>] [options of vitest]
//   npm test -- <task> [folder of a package]
//
// In a folder `npm test` runs the quick tests, and `npm run test:all` the long ones, too; a file may be of either kind.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve } from "node:path";

/**
 * Returns the commands that run what was chosen, each with the folder to run it in; undefined when nothing was, as everything is to run.
 *
 * @param args - Arguments of `npm test`.
 * @param tasks - Names of the tasks that turbo runs.
 * @throws {Error} when a path is in no package.
 */
export function chooseTests(args, { root, node, tasks, long }) {
  const firstOption = args.findIndex((word) => word.startsWith("-"));
  const words = firstOption === -1 ? args : args.slice(0, firstOption);
  const rest = firstOption === -1 ? [] : args.slice(firstOption);
  if (words.length === 0) return undefined;
  const [task, ...folders] = words;
  if (tasks.includes(task) && !existsSync(join(root, task))) {
    const filters = folders.map((folder) => `--filter=${readManifest(findPackage(folder, root)).name}`);
    return [{ pnpm: ["exec", "turbo", "run", task, ...filters, "--output-logs=new-only", ...rest] }];
  }
  const packages = new Map();
  for (const word of words) {
    const folder = findPackage(word, root);
    packages.set(folder, [...(packages.get(folder) ?? []), word]);
  }
  const commands = [];
  for (const [folder, paths] of packages) {
    const path = [join(folder, "node_modules", ".bin"), join(root, "node_modules", ".bin"), process.env.PATH];
    const options = makeVitestOptions(folder, paths, rest, { root, long });
    commands.push(...planBuilds(folder, { root, node, long }), {
      node: [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...options],
      cwd: folder,
      env: { PATH: path.join(delimiter) },
    });
  }
  return commands;
}

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Returns the folder of the package that a path lies in. */
function findPackage(path, root) {
  const full = resolve(root, path);
  if (!existsSync(full)) throw new Error(`${path} does not exist; give a path from the root of the repository`);
  for (let folder = full; folder.startsWith(root) && folder !== resolve(root); folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  throw new Error(`${path} lies in no package; give a file or a folder of one, such as packages/client`);
}

function makeVitestOptions(folder, paths, rest, { root, long }) {
  const filters = paths.map((path) => relative(folder, resolve(root, path))).filter((path) => path !== "");
  const isFile = filters.length > 0 && filters.every((path) => path.endsWith(".ts"));
  const at = rest.indexOf("--test");
  const named =
    at === -1 ? rest : [...rest.slice(0, at), "-t", matchExactly(rest[at + 1] ?? ""), ...rest.slice(at + 2)];
  return [...(isFile || long ? [] : ["--project", "quick"]), ...filters, ...named];
}

/** Returns a pattern of vitest that a full name alone matches. */
const matchExactly = (name) => `^${name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`;

/** Returns the command that makes the builds that the tests of a package need; none for most packages. */
function planBuilds(folder, { root, node, long }) {
  const names = ["test", ...(long ? ["test:long"] : [])].filter((name) => name in (readManifest(folder).scripts ?? {}));
  const turbo = [join(root, "node_modules", "turbo", "bin", "turbo"), "run", ...names];
  const plan = spawnSync(node, [...turbo, `--filter=${readManifest(folder).name}`, "--dry=json"], {
    cwd: root,
    encoding: "utf8",
  });
  if (plan.status !== 0) throw new Error(`turbo could not say what ${names.join(" and ")} need: ${plan.stderr}`);
  const needed = JSON.parse(plan.stdout).tasks.filter(
    ({ task, command }) => task === "build" && command !== "<NONEXISTENT>",
  );
  if (needed.length === 0) return [];
  const filters = needed.map((one) => `--filter=${one.package}`);
  return [{ pnpm: ["exec", "turbo", "run", "build", ...filters, "--output-logs=errors-only"] }];
}
