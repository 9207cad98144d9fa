import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listPublishedPackages, repositoryRoot } from "../src/workspace.ts";

/** The first example of a README that can be run by who has only what it says to install. */
export interface ReadmeExample {
  /** Path of the README, relative to the root. */
  readonly file: string;
  /** A program, or command lines. */
  readonly language: "ts" | "sh";
  readonly code: string;
}

/** READMEs of the repository and of the packages that are published. */
export function listReadmes(): string[] {
  const folders = ["", ...listPublishedPackages().map(({ directory }) => `${directory}/`)];
  return folders.map((folder) => `${folder}README.md`).filter((file) => existsSync(join(repositoryRoot, file)));
}

/** Packages that READMEs say to install, with their versions where they name one, but for our own. */
export function listForeignInstalls(files: readonly string[]): string[] {
  const names = files.flatMap((file) => {
    const lines = [...getText(file).matchAll(/^npm install([^\n#]*)/gm)].map(([, words = ""]) => words);
    return lines.flatMap((line) => line.split(/\s+/)).filter((word) => /^(@[a-z]|[a-z])/.test(word));
  });
  return [...new Set(names.filter((name) => !name.startsWith("@cloud-browser/")))];
}

/**
 * Returns the first program of a README, or else the first block with commands of npx that hold no placeholder.
 *
 * @returns Undefined where it has neither.
 */
export function findFirstExample(file: string): ReadmeExample | undefined {
  const blocks = [...getText(file).matchAll(/^```(\w+)([^\n]*)\n([^]*?)^```/gm)];
  const program = blocks.find(([, language, mark]) => language === "ts" && !/ignore/.test(mark ?? ""));
  if (program) return { file, language: "ts", code: program[3] ?? "" };
  for (const [, language, , text = ""] of blocks) {
    const commands = language === "sh" ? listRunnableCommands(text) : [];
    if (commands.length > 0) return { file, language: "sh", code: commands.join("\n") };
  }
  return undefined;
}

/** Commands of npx without what their reader has to put in. */
function listRunnableCommands(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, ""))
    .filter((line) => line.startsWith("npx ") && !/[<…]|example\.com/.test(line));
}

const getText = (file: string): string => readFileSync(join(repositoryRoot, file), "utf8");
