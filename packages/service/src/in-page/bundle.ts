import { fileURLToPath } from "node:url";

let bundled: Promise<string> | undefined;

/**
 * The script that runs in pages, as one text. From the sources it is bundled at its first use; the built package has it ready.
 *
 * Source: ours.
 */
export default async function pageScript(): Promise<string> {
  bundled ??= bundlePageScript();
  return bundled;
}

/** Bundles the script that runs in pages. Source: ours. */
export async function bundlePageScript(): Promise<string> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("entry.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "chrome120",
    minify: true,
    charset: "utf8",
    legalComments: "none",
  });
  return outputFiles[0]?.text ?? "";
}
