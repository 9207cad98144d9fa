import { text } from "node:stream/consumers";
import { CliError } from "../errors/cli-error.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Reads standard input to its end.
 *
 * @param what - what is read, for errors
 * @throws {CliError} `usage` when standard input is a terminal: nobody would know that it is waited for.
 */
export async function readAll({ stdin }: Pick<Terminal, "stdin">, what: string): Promise<string> {
  if (stdin.isTTY) throw new CliError("usage", `${what} is missing: give it as an argument, or on standard input`);
  return text(stdin);
}
