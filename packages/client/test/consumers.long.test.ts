import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile, makeConsumer, run, type Consumer } from "./consumers/consumer.ts";

let consumer: Consumer;
beforeAll(async () => {
  consumer = await makeConsumer();
}, 400_000);
afterAll(() => consumer[Symbol.dispose]());

const toured = '["# Ferries",0,3,3,3,200,"sid=1",1,1,"object","done",0.5,0.5,null,"misuse"]\n';
const required = '["function","misuse","",1]\n';

/** Names of development dependencies: aliases of npm for versions of TypeScript. */
const compilers = [
  { typescript: "typescript54", requires: false },
  { typescript: "typescript", requires: true },
  { typescript: "typescript6", requires: true },
  { typescript: "typescript7", requires: true },
];
const strictest = { strict: true, skipLibCheck: false, target: "es2022", noUncheckedIndexedAccess: true };
const esm = { ...strictest, module: "nodenext", moduleResolution: "nodenext" };
const bundled = { ...strictest, module: "esnext", moduleResolution: "bundler" };
// Side by side: nothing of what the compilers do is shared, and none keeps all cores at work.
describe.concurrent("a consumer", { timeout: 400_000 }, () => {
  test.for(compilers)(
    "bundled, compiles with $typescript, which finds fault with wrong calls alone, and runs",
    async ({ typescript }) => {
      const outDir = `out/${typescript}/bundled`;
      const options = { ...bundled, exactOptionalPropertyTypes: true, lib: ["es2022", "dom"], types: [], outDir };
      const output = await compile(typescript, consumer, { compilerOptions: options, files: ["tour.ts", "wrong.ts"] });
      const faults = output
        .split("\n")
        .filter((line) => /^\S/.test(line))
        .map((line) => line.split(",", 1)[0]);
      expect(faults).toEqual(["wrong.ts(6", "wrong.ts(7", "wrong.ts(8", "wrong.ts(9"]);
      expect(await run(consumer, join(outDir, "tour.js"))).toBe(toured);
    },
  );

  test.for(compilers)(
    "ESM and CommonJS for Node.js, without the DOM, compile with $typescript, and run",
    async ({ typescript, requires }) => {
      const outDir = `out/${typescript}/node`;
      const options = {
        ...esm,
        verbatimModuleSyntax: requires,
        isolatedModules: true,
        lib: ["es2022"],
        types: ["node"],
        outDir,
      };
      const files = ["tour.ts", "imported.cts", ...(requires ? ["required.cts"] : [])];
      expect(await compile(typescript, consumer, { compilerOptions: options, files })).toBe("");
      expect(await run(consumer, join(outDir, "tour.js"))).toBe(toured);
      for (const program of files.slice(1))
        expect(await run(consumer, join(outDir, program.replace("cts", "cjs")))).toBe(required);
    },
  );
});

test("the types compile with those of the oldest Node.js that is supported", { timeout: 400_000 }, async () => {
  const options = { ...esm, noEmit: true, lib: ["es2022"], typeRoots: ["oldest"], types: ["node"] };
  expect(await compile("typescript", consumer, { compilerOptions: options, files: ["imported.cts"] })).toBe("");
});

test("the types need nothing but what the package depends on", () => {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(read("package.json"));
  expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:/);
  const declarations = consumer.files.filter((file) => file.startsWith("dist/") && file.endsWith(".d.ts"));
  // Examples in the documentation import more.
  const imported = declarations.flatMap((file) =>
    [
      ...read(file)
        .replaceAll(/\/\*[^]*?\*\//g, "")
        .matchAll(/(?:from|import\()\s*"([^".][^"]*)"/g),
    ].map(([, name]) => name),
  );
  expect(new Set(imported)).toEqual(new Set(Object.keys(manifest.dependencies)));
});

test("the validator of JSON Schema has a chunk of its own, which nothing loads before it is needed", () => {
  const chunks = consumer.files.filter((file) => file.startsWith("dist/") && file.endsWith(".js"));
  const holding = chunks.filter((file) => read(file).includes("uniqueItems"));
  expect(holding).toEqual([expect.stringMatching(/^dist\/json-schema-[\w-]+\.js$/)]);
  const name = holding[0]?.replace("dist/", "") ?? "";
  const loading = chunks.filter((file) => read(file).includes(`"./${name}"`));
  expect(loading).toHaveLength(1);
  expect(read(loading[0] ?? "")).toContain(`await import("./${name}")`);
  expect(read(holding[0] ?? "")).toMatch(/\/\*!.*Jeremy Danyow/s);
});

function read(file: string): string {
  return readFileSync(join(consumer.folder, "node_modules/@cloud-browser/client", file), "utf8");
}
