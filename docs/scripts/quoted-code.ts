/** A page, before what it quotes is filled in. */
export interface Page {
  /** Path from the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  /** True where a program need not be quoted, as the tests run it from the page. */
  readonly mayStandAlone: boolean;
  /** Number of the first line of the text in the file. Default: 1. */
  readonly firstLine?: number;
}

/** A page whose quotes are filled, and what could not be. */
export interface FilledPage {
  readonly text: string;
  /** Sentences, each with the page and the line. */
  readonly problems: readonly string[];
}

/** A fence that is open: its first line, taken apart, and where it is. */
interface Fence {
  readonly indent: string;
  readonly mark: string;
  readonly language: string;
  readonly from: string | undefined;
  readonly line: number;
}

/** Languages of programs: what is written in one of them is quoted from a file that the tests run. */
const programs = new Set(["ts", "typescript", "tsx", "js", "javascript", "mjs", "cjs", "jsx", "py", "python", "go"]);

/** Folder of the programs that the tests run. */
const programFolder = "examples/";

/** Where quoted files lie. The task "generated" of turbo.json is run again when one of these changes. */
const quotable = [programFolder, "spec/", "action.yml"];

/**
 * Fills the fences of a page that name their source, and leaves everything else as it is.
 *
 * @param readSource - Returns the text of a file of the repository; undefined when it does not exist.
 */
export function fillSnippets(page: Page, readSource: (path: string) => string | undefined): FilledPage {
  const problems: string[] = [];
  const filled: string[] = [];
  let fence: Fence | undefined;
  let body: string[] = [];
  const lines = page.text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (fence === undefined) {
      fence = parseFence(line, index + (page.firstLine ?? 1));
      if (fence === undefined) {
        filled.push(line);
        continue;
      }
      filled.push(line);
      body = [];
    } else if (isClosing(line, fence)) {
      filled.push(...fillFence(fence, body), line);
      fence = undefined;
    } else body.push(line);
  }
  if (fence !== undefined) {
    problems.push(`${page.path}:${fence.line}: the fence is never closed`);
    filled.push(...body);
  }
  return { text: filled.join("\n"), problems };

  function fillFence(open: Fence, old: readonly string[]): readonly string[] {
    const complain = (sentence: string): readonly string[] => {
      problems.push(`${page.path}:${open.line}: ${sentence}`);
      return old;
    };
    const isProgram = programs.has(open.language);
    if (open.from === undefined) {
      if (!isProgram || page.mayStandAlone) return old;
      return complain(`a program in ${open.language} names no source; write \`from=${programFolder}file.ts#region\``);
    }
    const [path = "", region] = open.from.split("#");
    if (path.startsWith("/") || path.split("/").includes("..")) {
      return complain(`${path} is not a path from the root of the repository`);
    }
    if (isProgram && !path.startsWith(programFolder)) {
      return complain(`${path} is not in ${programFolder}, whose programs the tests run`);
    }
    if (!quotable.some((place) => path.startsWith(place))) {
      return complain(`${path} is in none of ${quotable.join(", ")}`);
    }
    const source = readSource(path);
    if (source === undefined) return complain(`${path} does not exist`);
    const code = quote(source, region);
    if (typeof code === "string") return complain(`${path} ${code}`);
    const longest = Math.max(0, ...code.map((line) => /^\s*([`~]*)/.exec(line)?.[1]?.length ?? 0));
    if (longest >= open.mark.length) return complain(`${path} has a line of ${longest} marks; use a longer fence`);
    return code.map((line) => (line === "" ? "" : open.indent + line));
  }
}

function parseFence(line: string, number: number): Fence | undefined {
  const parts = /^(?<indent>(?:\s|>\s?)*)(?<mark>`{3,}|~{3,})\s*(?<language>[^\s`{]*)(?<rest>[^`]*)$/.exec(
    line,
  )?.groups;
  if (!parts) return undefined;
  const { indent = "", mark = "", language = "", rest = "" } = parts;
  return { indent, mark, language, from: /(?:^|\s)from=(\S+)/.exec(rest)?.[1], line: number };
}

function isClosing(line: string, { mark }: Fence): boolean {
  const closing = /^(?:\s|>\s?)*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return closing !== undefined && closing[0] === mark[0] && closing.length >= mark.length;
}

/** Marks in comments of C, SQL, INI and HTML; where `#` begins a comment, the one of the mark may be left out. */
const marker =
  /^\s*(?:(?:\/\/|--|;|\/\*|<!--)\s*#|#\s*#?)(?<kind>region|endregion)(?:\s+(?<name>[\w-]+))?\s*(?:\*\/|-->)?\s*$/;

/**
 * Returns the lines of a region, or of the whole file, without the lines that mark regions and without the indentation that all lines
 * share; or what is wrong with the region, as the rest of a sentence.
 */
export function quote(source: string, region: string | undefined): readonly string[] | string {
  const lines = source.split(/\r?\n/);
  const marks = lines.map((line) => marker.exec(line)?.groups);
  const places = (kind: string): number[] =>
    marks.flatMap((mark, at) => (mark?.["kind"] === kind && mark["name"] === region ? [at] : []));
  let [from, to] = [0, lines.length];
  if (region !== undefined) {
    const [begins, ends] = [places("region"), places("endregion")];
    if (begins.length === 0) return `has no line "#region ${region}"`;
    if (begins.length > 1 || ends.length > 1) return `has more than one region "${region}"`;
    const [begin = 0] = begins;
    const [end] = ends;
    if (end === undefined || end < begin) return `has no line "#endregion ${region}" after its "#region ${region}"`;
    [from, to] = [begin + 1, end];
  }
  const quoted = lines.slice(from, to).filter((_, at) => marks[from + at] === undefined);
  while (quoted[0]?.trim() === "") quoted.shift();
  while (quoted.at(-1)?.trim() === "") quoted.pop();
  if (quoted.length === 0) return region === undefined ? "is empty" : `has nothing in its region "${region}"`;
  const indents = quoted.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  return quoted.map((line) => line.slice(Math.min(...indents)).trimEnd());
}
