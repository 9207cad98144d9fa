import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const packages = join(import.meta.dirname, "..", "..", "..");

/** Modules of Node.js that reach the system, and which of their names do: of the others, none can fail for its sake. */
const modules: Readonly<Record<string, RegExp>> = {
  "node:fs": /^(?!existsSync$|constants$)/u,
  "node:fs/promises": /^(?!constants$)/u,
  "node:child_process": /^/u,
  "node:net": /^connect$/u,
  "node:dns/promises": /^/u,
};

/** Calls of what modules give away: of file handles, and of databases. */
const ofHandles = ["appendFile", "close", "read", "readFile", "stat", "truncate", "write", "writeFile", "writev"];
const ofDatabases = ["exec", "prepare", "run", "get", "all", "iterate"];

/**
 * Finds all places in the sources of the service and of what it is made of where the system is asked for something: a file, a process, a
 * connection, a statement of a database. Each is a source and a call, as `recorder/src/journal/journal.ts open`.
 */
export function findPlaces(): readonly string[] {
  const all = globSync("{service,recorder,browsers}/src/**/*.ts", { cwd: packages }).sort();
  // What its methods ask is a query of who calls them.
  const sources = all.filter((file) => !file.endsWith("/sqlite/sqlite-database.ts"));
  return sources.flatMap((file) =>
    callsIn(readFileSync(join(packages, file), "utf8")).map((call) => `${file} ${call}`),
  );
}

function callsIn(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, "");
  const imports = [...code.matchAll(/import\s+\{([^}]*)\}\s+from\s+"([^"]+)"/gu)];
  const named = imports.flatMap(([, names = "", from = ""]) =>
    names.split(",").flatMap((text) => {
      const [name = "", own = name] = text.trim().split(/\s+as\s+/u);
      return name !== "" && modules[from]?.test(name) && !name.startsWith("type ") ? [{ name, own }] : [];
    }),
  );
  // `promisify(fsync)` is called by another name.
  const direct = named.filter(({ own }) => new RegExp(`(?<![.\\w#])${own}\\(|promisify\\(${own}\\)`, "u").test(code));
  const calls = new Set(direct.map(({ name }) => name));
  const methods = (names: readonly string[]): void => {
    for (const name of names) if (new RegExp(`(?:handle|file)\\??\\.${name}\\(`, "u").test(code)) calls.add(name);
  };
  if (named.some(({ name }) => name === "open") || code.includes("FileHandle")) methods(ofHandles);
  if (/from "node:sqlite"/u.test(code))
    for (const name of ofDatabases) if (new RegExp(`\\.${name}\\(`, "u").test(code)) calls.add(name);
  if (/\.listen\(/u.test(code)) calls.add("listen");
  // Statements of the stores, requests to stores of objects, to other nodes and to sites.
  if (/[dD]atabase\.(?:query|transact)(?:<[^(]*>)?\(/u.test(code)) calls.add("query");
  if (code.includes("@aws-sdk/") && /[cC]lient\s*\.send\(/u.test(code)) calls.add("send");
  if (/import \{[^}]*\brequest\b[^}]*\} from "node:http"/u.test(code)) calls.add("connect");
  if (/from "httpxy"/u.test(code)) calls.add("proxyFetch");
  if (/import\("@opentelemetry\/exporter/u.test(code)) calls.add("export");
  return [...calls].sort();
}
