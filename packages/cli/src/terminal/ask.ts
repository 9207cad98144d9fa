import { isCancel, select, text as askText } from "@clack/prompts";
import { printable } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

/** A question whose answer is one of several. */
export interface Choice<Value extends string> {
  /** The question. */
  readonly message: string;
  /** Its answers, the first one is offered. */
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}

/**
 * Asks the person at the terminal. Resolves with undefined at Ctrl-C, and when the signal aborts.
 */
export async function ask<Value extends string>(
  { stdin, stderr }: Terminal,
  { message, options }: Choice<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  const choices = options.map(({ value, label }) => ({ value, label }));
  const chosen: unknown = await select<string>({
    message: printable(message),
    options: choices,
    input: stdin,
    output: stderr,
    signal,
  });
  return isCancel(chosen) ? undefined : options.find(({ value }) => value === chosen)?.value;
}

/** Asks for a line of text, which may be empty. Resolves with undefined at Ctrl-C, and when the signal aborts. */
export async function askLine(
  { stdin, stderr }: Terminal,
  message: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await askText({ message: printable(message), input: stdin, output: stderr, signal });
  return isCancel(answer) ? undefined : (answer ?? "");
}
