import { readFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { getAddress, escaped, getPattern, type BrokenLine } from "./broken-line.ts";

/** The script of pages is bundled by esbuild, which asks this for the sources. */
const bundle = {
  file: "page-content/src/in-page/bundle.ts",
  text: "bundle: true,",
  becomes: "bundle: true, plugins: [globalThis.lineBreaker],",
};

/** What of esbuild's way of loading is used here. */
interface Loading {
  onLoad(options: { filter: RegExp }, load: () => Promise<{ contents: string; loader: "ts" }>): void;
}

/** Breaks nothing. */
const whole = {
  file: "service/src/service.ts",
  text: "async function startService(",
  becomes: "async function startService(",
  requirement: "",
};

const sources = getAddress({ file: "" });
/** By their copies: each module of a copy has `?copy=N.ts` behind its address, for some look at how their own address ends. */
const lines = new Map<string, { readonly line: BrokenLine; wasLoaded: boolean }>();

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const [, copy] = /\?copy=(\d+)\.ts$/.exec(context.parentURL ?? "") ?? [];
    return copy !== undefined && found.url.startsWith(sources)
      ? { ...found, url: `${found.url}?copy=${copy}.ts` }
      : found;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    const [, address = "", copy = ""] = /^(.*)\?copy=(\d+)\.ts$/.exec(url) ?? [];
    const broken = lines.get(copy);
    if (broken === undefined) return loaded;
    const source = (): string => getText(loaded.source);
    if (address === getAddress(broken.line)) return { ...loaded, source: breakSource(source(), copy) };
    return address === getAddress(bundle) ? { ...loaded, source: replaced(source(), bundle) } : loaded;
  },
});

/**
 * Loads the service with one of its lines broken, or with none: a copy of all of its modules, and no file is changed.
 *
 * @returns The service, and whether the broken file was loaded until now.
 */
export async function loadBroken(
  line: BrokenLine = whole,
): Promise<{ readonly service: typeof import("../../src/service.ts"); readonly wasLoaded: () => boolean }> {
  const copy = String(lines.size);
  const broken = { line, wasLoaded: false };
  lines.set(copy, broken);
  const path = fileURLToPath(getAddress(line));
  const lineBreaker = {
    name: "line-breaker",
    setup: (esbuild: Loading) =>
      esbuild.onLoad({ filter: new RegExp(`^${escaped(path)}$`) }, async () => {
        return { contents: breakSource(await readFile(path, "utf8"), copy), loader: "ts" };
      }),
  };
  Object.assign(globalThis, { lineBreaker });
  const service: typeof import("../../src/service.ts") = await import(`../../src/service.ts?copy=${copy}.ts`);
  return { service, wasLoaded: () => broken.wasLoaded };
}

function getText(source: string | ArrayBuffer | NodeJS.TypedArray | null | undefined): string {
  if (source instanceof Uint8Array) return new TextDecoder().decode(source);
  if (typeof source === "string") return source;
  throw new TypeError("a source of the service can't be read");
}

function breakSource(source: string, copy: string): string {
  const broken = lines.get(copy);
  if (broken === undefined) throw new Error("there is no such copy");
  broken.wasLoaded = true;
  return replaced(source, broken.line);
}

function replaced(source: string, { text, becomes }: Pick<BrokenLine, "text" | "becomes">): string {
  if (source.match(getPattern({ text }))?.length !== 1) throw new Error(`${text} does not stand there once`);
  return source.replace(getPattern({ text }), () => becomes);
}
