import { createRequire } from "node:module";
import { join } from "node:path";

/** Resolves a module of a package that is installed beside this one, or else in the working directory; undefined where it is in neither. */
export function resolveInstalled(module: string): string | undefined {
  for (const from of [import.meta.url, join(process.cwd(), "package.json")]) {
    try {
      return createRequire(from).resolve(module);
    } catch {
      // It is not installed there.
    }
  }
  return undefined;
}
