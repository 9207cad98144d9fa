import { readFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { addressOf, patternOf, type BrokenLine } from "./broken-line.ts";

/** The script of pages is bundled by esbuild, which asks this for the sources. */
const bundle = {
  file: "in-page/bundle.ts",
  text: "bundle: true,",
  becomes: "bundle: true, plugins: [globalThis.lineBreaker],",
};

/** What of esbuild's way of loading is used here. */
interface Loading {
  onLoad(options: { filter: RegExp }, load: () => Promise<{ contents: string; loader: "ts" }>): void;
}

/**
 * From now on a file of the service is loaded with its line broken; no file is changed.
 *
 * @returns Tells whether the broken file was loaded.
 */
export function breakLine(line: BrokenLine): () => boolean {
  let wasLoaded = false;
  const broken = (source: string, { text, becomes }: Pick<BrokenLine, "text" | "becomes">): string => {
    if (source.match(patternOf({ text }))?.length !== 1) throw new Error(`${text} does not stand there once`);
    return source.replace(patternOf({ text }), () => becomes);
  };
  const breakSource = (source: string): string => {
    wasLoaded = true;
    return broken(source, line);
  };
  const path = fileURLToPath(addressOf(line));
  const lineBreaker = {
    name: "line-breaker",
    setup: (esbuild: Loading) =>
      esbuild.onLoad({ filter: new RegExp(`^${RegExp.escape(path)}$`) }, async () => {
        return { contents: breakSource(await readFile(path, "utf8")), loader: "ts" };
      }),
  };
  Object.assign(globalThis, { lineBreaker });
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (url !== addressOf(line) && url !== addressOf(bundle)) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString();
      return { ...loaded, source: url === addressOf(line) ? breakSource(source) : broken(source, bundle) };
    },
  });
  return () => wasLoaded;
}
