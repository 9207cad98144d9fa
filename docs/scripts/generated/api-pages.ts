import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parsePage, type SitePage } from "../page.ts";
import { listFiles, readText, root } from "../repository-pages.ts";

/** Exports of a package: the import, and its source. */
interface Entry {
  readonly name: string;
  readonly source: string;
  /** Path of the source from the folder of the packages: `client/src/index.ts`. */
  readonly file: string;
}

/**
 * Returns the API of every published package, from its types and docstrings: a page for each import, and one for each class, function
 * and interface.
 *
 * @throws {Error} with what TypeDoc said, when it failed.
 */
export function makeApiPages(): SitePage[] {
  const entries = listFiles("packages/*/package.json")
    .flatMap(listEntries)
    .sort((a, b) => getRank(a) - getRank(b));
  const folder = mkdtempSync(join(tmpdir(), "api-pages-"));
  try {
    runTypeDoc(entries, folder);
    return readPages(folder, entries);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Packages that most people come for, in order. */
const first = ["client", "stream", "conformance", "service"];

function getRank({ file }: Entry): number {
  const at = first.findIndex((name) => file.startsWith(`${name}/`));
  return at === -1 ? first.length : at;
}

function listEntries(path: string): Entry[] {
  const manifest: {
    readonly name: string;
    readonly private?: boolean;
    readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  } = JSON.parse(readText(path));
  if (manifest.private === true) return [];
  return Object.entries(manifest.exports ?? {}).flatMap(([name, conditions]) => {
    const source = typeof conditions === "string" ? undefined : conditions["@cloud-browser/source"];
    // A command line has no API.
    if (source === undefined || source.endsWith("/cli.ts")) return [];
    const from = posix.join(dirname(path), source);
    return [
      {
        name: posix.join(manifest.name, name),
        source: fileURLToPath(new URL(from, root)),
        file: from.replace("packages/", ""),
      },
    ];
  });
}

/** Writes the Markdown of all entries into a folder. */
function runTypeDoc(entries: readonly Entry[], folder: string): void {
  const settings = {
    $schema: "https://typedoc.org/schema.json",
    entryPoints: entries.map(({ source }) => source),
    tsconfig: fileURLToPath(new URL("docs/tsconfig.typedoc.json", root)),
    plugin: ["typedoc-plugin-markdown"],
    out: folder,
    router: "member",
    membersWithOwnFile: ["Class", "Function", "Interface"],
    readme: "none",
    disableSources: true,
    skipErrorChecking: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    propertyMembersFormat: "table",
    typeDeclarationFormat: "table",
    useCodeBlocks: true,
    sanitizeComments: true,
    logLevel: "Error",
  };
  const file = join(folder, "typedoc.json");
  writeFileSync(file, JSON.stringify(settings));
  const program = fileURLToPath(new URL("docs/node_modules/typedoc/bin/typedoc", root));
  const cwd = fileURLToPath(new URL("docs/", root));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "--options", file], {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`TypeDoc failed: ${stdout}${stderr}`);
}

/** Turns the files of TypeDoc into pages: `client/src/functions/f.md` becomes `api/client/functions/f`. */
function readPages(folder: string, entries: readonly Entry[]): SitePage[] {
  const files = globSync("**/*.md", { cwd: folder })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path !== "README.md")
    .sort();
  const modules = new Map(entries.map(({ name, file }) => [file.replace(/(?:\/index)?\.ts$/, "/README.md"), name]));
  const pages = files.map((path): SitePage => {
    const module = modules.get(path);
    const slug = `api/${path.replace("/src/", "/").replace(/(?:\/README)?\.md$/, "")}`.toLowerCase();
    const page = parsePage(slug, `api/${path}`, readFileSync(join(folder, path), "utf8"));
    if (module !== undefined) return { ...page, title: module, description: `Exports of ${module}.` };
    const title = page.title.replace(/^[A-Z][a-z]+( [a-z]+)?: /, "").replaceAll("\\", "");
    return { ...page, title, isOneOfMany: true, settings: ["prev: false", "next: false"] };
  });
  const unnamed = [...modules.keys()].filter((path) => !files.includes(path));
  if (unnamed.length > 0) throw new Error(`TypeDoc wrote no page for ${unnamed.join(", ")}`);
  return [makeIndexPage(entries, new Map(pages.map(({ title, slug }) => [title, slug]))), ...pages];
}

function makeIndexPage(entries: readonly Entry[], slugs: ReadonlyMap<string, string>): SitePage {
  return {
    slug: "api",
    title: "API of the packages",
    description: "Every export of every package, from its types and docstrings.",
    body: [
      "Every export of every published package. The first three are for programs that use the interface or judge a server; of the others the service is made.",
      entries.map(({ name }) => `- [\`${name}\`](/${slugs.get(name) ?? ""}/)`).join("\n"),
    ].join("\n\n"),
  };
}
