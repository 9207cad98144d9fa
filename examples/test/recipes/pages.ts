import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../docs/recipes/", import.meta.url));

/** A page of a recipe. */
export interface RecipePage {
  /** Path below the folder of recipes. */
  readonly path: string;
  readonly text: string;
  /** The program that it quotes, below the folder of examples. */
  readonly program: string | undefined;
}

/** The pages of all recipes. */
export const recipePages: readonly RecipePage[] = globSync("*/*.md", { cwd: folder })
  .toSorted()
  .map((path) => {
    const text = readFileSync(folder + path, "utf8");
    return { path, text, program: /^```\w+ from=examples\/([^\s#]+)/m.exec(text)?.[1] };
  });

/** What a page says that its program prints. */
export function findPrinted({ text }: RecipePage): string | undefined {
  return /^It prints:\n\n```text\n([^]*?)\n```$/m.exec(text)?.[1];
}

/**
 * What the page of a program says that it prints, as a pattern: `…` is any text, and on a line of its own any lines.
 *
 * @param program - Path below the folder of examples.
 */
export function getTold(program: string): RegExp {
  const page = recipePages.find((one) => one.program === program);
  const printed = page && findPrinted(page);
  if (printed === undefined) throw new Error(`no recipe says what ${program} prints`);
  const lines = printed
    .split("\n")
    .map((line) => (line.trim() === "…" ? "[^]*" : escapePattern(line).replaceAll("…", ".*")));
  return new RegExp(`^${lines.join("\n")}$`);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
