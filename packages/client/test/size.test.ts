import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** What a consumer's bundler makes of an import from the built package: sizes minified and gzipped, in bytes. */
async function readBundle(
  contents: string,
  splitting = true,
): Promise<{ sizes: Map<string, number>; outputs: Metafile["outputs"] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    splitting,
    metafile: true,
    format: "esm",
    target: "es2022",
    outdir: "bundle",
    absWorkingDir: folder,
    external: ["node:*"],
    write: false,
    logLevel: "error",
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents: bytes }) => [
      path.slice(folder.length).replaceAll("\\", "/"),
      gzipSync(bytes, { level: 9 }).length,
    ]),
  );
  return { sizes, outputs: metafile.outputs };
}

/** The files that are loaded with one, itself included. */
function listLoaded(outputs: Metafile["outputs"], name: string, names = new Set<string>()): Set<string> {
  if (names.has(name)) return names;
  names.add(name);
  for (const { path, kind, external } of outputs[name]?.imports ?? []) {
    if (kind === "import-statement" && !external) listLoaded(outputs, path, names);
  }
  return names;
}

/** The files that were bundled into any of the outputs. */
function listInputs(outputs: Metafile["outputs"]): string[] {
  return Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

/** The chunk of a module that is loaded when it is needed. */
function getChunk(outputs: Metafile["outputs"], module: string): string {
  const name = Object.keys(outputs).find((key) => outputs[key]?.entryPoint?.includes(`/${module}`));
  if (!name) throw new Error(`no chunk begins with ${module}`);
  return name;
}

const main = 'export { createCloudBrowser } from "./dist/index.js"';
const entry = "bundle/stdin.js";
const computeTotal = (sizes: Map<string, number>, names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + (sizes.get(name) ?? NaN), 0);

// 0.3 kB of it are the service's own words, and addresses in errors; 1.6 kB say what went wrong; 1.2 kB are a custom fetch, log levels and the check of options. 2.4 kB detect misuse before anything is sent or billed, and redact causes, however a key is spelled: neither may depend on chunks that load later.
test("scrape, cookies and replay cost at most 13,800 bytes, in one file", async () => {
  const { sizes, outputs } = await readBundle(main);
  const loaded = listLoaded(outputs, entry);
  expect([...loaded]).toEqual([entry]);
  const size = computeTotal(sizes, loaded);
  console.log(`scrape, cookies and replay: ${size} bytes`);
  expect(size).toBeGreaterThan(3000);
  expect(size).toBeLessThanOrEqual(13_800);
});

// 0.5 kB of it guard callbacks and ledgers, check options, and yield to the event loop.
test("an automation costs at most 8,490 bytes more, with the stream, and loads nothing else", async () => {
  const { sizes, outputs } = await readBundle(main);
  const chunk = getChunk(outputs, "automate");
  expect([...listLoaded(outputs, chunk)].filter((name) => name !== entry)).toEqual([chunk]);
  const size = computeTotal(sizes, [chunk]);
  console.log(`an automation: ${size} bytes more`);
  expect(size).toBeLessThanOrEqual(8_490);
});

test("extraction costs at most 1,560 bytes more, and the checker of JSON Schema at most 8,060 more than that", async () => {
  const { sizes, outputs } = await readBundle(main);
  const extraction = listLoaded(outputs, getChunk(outputs, "extraction"));
  expect(computeTotal(sizes, extraction)).toBeLessThanOrEqual(1560);
  const checker = [...listLoaded(outputs, getChunk(outputs, "json-schema"))].filter((name) => !extraction.has(name));
  expect(computeTotal(sizes, checker)).toBeLessThanOrEqual(8060);
});

// 0.03 kB of it are that the control client shares modules with it.
test("all of it costs at most 31,200 bytes in one file, where a bundler does not split", async () => {
  const { sizes, outputs } = await readBundle(main, false);
  expect(Object.keys(outputs)).toEqual([entry]);
  expect(computeTotal(sizes, [entry])).toBeLessThanOrEqual(31_200);
});

test("the entry chunk has no code of the stream, extraction, cookies or replay files", async () => {
  const { outputs } = await readBundle(main);
  const inputs = Object.keys(outputs[entry]?.inputs ?? {}).map((name) => name.replace(/^.*\/(?=node_modules\/)/, ""));
  const foreign = inputs.filter(
    (name) =>
      !/^(?:dist\/(?:index|call-contexts|client-error|event-loop|redaction)[^/]*\.js|node_modules\/openapi-fetch\/.*|<stdin>)$/.test(
        name,
      ),
  );
  expect(foreign).toEqual([]);
  const { outputs: all } = await readBundle(main);
  const everything = listInputs(all);
  expect(everything.filter((name) => /dist\/(?:cookies|replay|runs|control)/.test(name))).toEqual([]);
});

test("unused exports are tree-shaken", async () => {
  const { sizes } = await readBundle(
    'import "./dist/index.js"; import "./dist/cookies.js"; import "./dist/replay.js"; import "./dist/runs.js"; import "./dist/control.js"',
  );
  expect(sizes.get(entry)).toBeLessThan(60);
});

test.for([
  { name: "cookies", most: 4880 },
  // 1.3 kB of it check what is passed, and make safe to log what a stream of the caller's fails with; 0.6 kB keep permissions and remove what a killed download left.
  { name: "replay", most: 10_400 },
])(
  "@cloud-browser/client/$name costs at most $most bytes, and holds nothing of the client but its error",
  async ({ name, most }) => {
    const { sizes, outputs } = await readBundle(`export * from "./dist/${name}.js"`);
    expect(computeTotal(sizes, listLoaded(outputs, entry))).toBeLessThanOrEqual(most);
    const inputs = listInputs(outputs);
    expect(inputs.filter((input) => /openapi-fetch|stream|dist\/index/.test(input))).toEqual([]);
  },
);

test("@cloud-browser/client/runs costs at most 10,920 bytes with the stream, and holds nothing of the client but its error", async () => {
  const { sizes, outputs } = await readBundle('export * from "./dist/runs.js"');
  const size = computeTotal(sizes, listLoaded(outputs, entry));
  console.log(`runs: ${size} bytes`);
  expect(size).toBeLessThanOrEqual(10_920);
  const inputs = listInputs(outputs);
  expect(inputs.filter((input) => /openapi-fetch|^dist\/(?:index|automate)/.test(input))).toEqual([]);
});

test("@cloud-browser/client/control costs at most 16,300 bytes, and loads the events of runs when they are followed", async () => {
  const { sizes, outputs } = await readBundle('export * from "./dist/control.js"');
  const loaded = listLoaded(outputs, entry);
  const size = computeTotal(sizes, loaded);
  console.log(`control: ${size} bytes`);
  expect(size).toBeGreaterThan(3000);
  expect(size).toBeLessThanOrEqual(16_300);
  const inputs = [...loaded].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
  expect(inputs.filter((input) => /^dist\/(?:index|automate|attach-run|replay|cookies)/.test(input))).toEqual([]);
});
