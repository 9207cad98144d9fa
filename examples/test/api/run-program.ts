import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import { vi } from "vitest";

const folder = fileURLToPath(new URL("../../api/", import.meta.url));

/** Programs of docstrings, as `client/create-cloud-browser.ts`. */
export const programs = globSync("*/*.ts", { cwd: folder }).sort();

/** Returns whether a program starts Chromium, or a mock: that takes some seconds. */
export function startsProcess(program: string): boolean {
  return /\b(?:BrowserPool|GuardedBrowsers|prismTarget|startService)\b/.test(readText(program));
}

/** Returns patterns of what a program says that it prints: the comments beside its calls of `console.log`, in which `…` is any text. */
export function listExpectedLines(program: string): RegExp[] {
  const calls = readText(program).split("console.log(").slice(1);
  const comments = calls.flatMap((call) => /\); \/\/ (.+)$/m.exec(call)?.[1] ?? []);
  return comments.map((comment) => {
    const parts = comment.split("…").map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
    return new RegExp(`^${parts.join(".*")}$`);
  });
}

/** Returns the number of calls of `console.log` in a program. */
export function countCalls(program: string): number {
  return readText(program).split("console.log(").length - 1;
}

/** Runs a program in a folder of its own, and returns what each call of `console.log` printed, in one line. */
export async function runProgram(program: string, url: string): Promise<string[]> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...values: unknown[]) => {
    lines.push(
      format(...values)
        .trim()
        .replaceAll(/\s+/g, " "),
    );
  });
  const before = process.cwd();
  const own = mkdtempSync(join(tmpdir(), "example-"));
  process.chdir(own);
  vi.stubEnv("CLOUD_BROWSER_BASE_URL", url);
  vi.stubEnv("CLOUD_BROWSER_AUTOMATION_URL", url);
  vi.stubEnv("CLOUD_BROWSER_API_KEY", "any-key");
  try {
    await import(/* @vite-ignore */ join(folder, program));
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
    process.chdir(before);
    rmSync(own, { recursive: true });
  }
  return lines;
}

function readText(program: string): string {
  return readFileSync(join(folder, program), "utf8");
}
