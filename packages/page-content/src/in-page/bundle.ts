import { fileURLToPath } from "node:url";

/** The scripts that run in pages. The second is large, and works where the first has run. */
export type PageScripts = readonly [reader: string, mainContent: string];

let bundled: Promise<PageScripts> | undefined;

/**
 * The scripts that run in pages. From the sources they are bundled at their first use; the built package has them ready.
 */
export default async function pageScripts(): Promise<PageScripts> {
  bundled ??= bundlePageScript();
  return bundled;
}

/**
 * Bundles the scripts that run in pages.
 *
 * @param onInput - Is told of the path of each module that is bundled.
 */
export async function bundlePageScript(onInput: (path: string) => void = () => undefined): Promise<PageScripts> {
  const { build } = await import("esbuild");
  const bundle = async (entry: string): Promise<string> => {
    const { outputFiles, metafile } = await build({
      entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
      bundle: true,
      write: false,
      format: "iife",
      platform: "browser",
      target: "chrome120",
      minify: true,
      charset: "utf8",
      legalComments: "none",
      metafile: true,
    });
    for (const path of Object.keys(metafile.inputs)) onInput(path);
    return outputFiles[0]?.text ?? "";
  };
  return Promise.all([bundle("entry.ts"), bundle("main-content-entry.ts")]);
}
