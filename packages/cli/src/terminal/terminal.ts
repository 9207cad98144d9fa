import type { Readable, Writable } from "node:stream";
import picocolors from "picocolors";

/** A stream that a command writes to. */
export interface OutputStream extends Writable {
  /** True for a terminal. */
  readonly isTTY?: boolean;
  /** Width of a terminal, in columns. */
  readonly columns?: number;
}

/** A stream that a command reads from. */
export interface InputStream extends Readable {
  /** True for a terminal. */
  readonly isTTY?: boolean;
}

/** Streams that a command reads from and writes to. */
export interface Terminal {
  /** Standard input. */
  readonly stdin: InputStream;
  /** Results, for pipes. */
  readonly stdout: OutputStream;
  /** Progress, questions and errors. */
  readonly stderr: OutputStream;
  /** The environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Colours of results; none in a pipe. */
  readonly colors: Colors;
  /** Colours of progress and errors. */
  readonly noteColors: Colors;
  /** Writes lines to standard output. */
  readonly print: (text: string) => void;
  /** Writes lines to standard error. */
  readonly note: (text: string) => void;
}

/** Functions that colour texts. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** Streams and environment of a terminal. */
export type TerminalParts = Pick<Terminal, "stdin" | "stdout" | "stderr" | "env">;

/** Creates a terminal of streams and an environment. */
export function createTerminal({ stdin, stdout, stderr, env }: TerminalParts): Terminal {
  return {
    stdin,
    stdout,
    stderr,
    env,
    colors: picocolors.createColors(hasColors(stdout, env)),
    noteColors: picocolors.createColors(hasColors(stderr, env)),
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
  };
}

/** Returns whether a stream gets colours: as `FORCE_COLOR` says, else not with `NO_COLOR`, else when it is a terminal that has some. */
export function hasColors({ isTTY = false }: Pick<OutputStream, "isTTY">, env: Terminal["env"]): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: kind } = env;
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if (refused !== undefined && refused !== "") return false;
  return isTTY && kind !== "dumb";
}
