import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import control from "@cloud-browser/spec/control.openapi.json" with { type: "json" };
import { completionExamples } from "../src/commands/completions.ts";
import { findCommandFacts } from "../src/command/command.ts";
import { exitCodeLines, exitCodes } from "../src/errors/exit-codes.ts";
import { createProgram } from "../src/program/program.ts";
import { createTerminal } from "../src/terminal/terminal.ts";
import { runHere } from "./run-cli.ts";

/** A program whose actions do nothing: its command line is read, and no more. */
function silentProgram(): Command {
  const { stdin, stdout, stderr } = process;
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
  const program = createProgram({ terminal, signal: new AbortController().signal, interrupt: () => {} });
  for (const command of listLeaves(program)) command.action(() => {});
  return program;
}

/** Lists all commands that do something, those that are hidden left out. */
function listLeaves(command: Command): Command[] {
  return command.commands.flatMap((each) =>
    each.name() === "complete" || each.name() === "help" ? [] : each.commands.length > 0 ? listLeaves(each) : [each],
  );
}

/** Returns how a command is called: `runs follow`. */
function getFullName(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${getFullName(parent)} ${command.name()}` : command.name();
}

const names = listLeaves(silentProgram()).map(getFullName);

test("all commands of the issue are there", () => {
  const required = ["open", "ls", "end", "scrape", "cookies", "replay", "automate", "run", "view", "doctor", "serve", "backup", "restore", "bucket", "completions", "mcp"]; // prettier-ignore
  expect(names).toEqual(expect.arrayContaining(required));
  for (const group of ["runs", "functions", "profiles", "files", "handover", "keys"]) {
    expect(names.filter((name) => name.startsWith(`${group} `)).length).toBeGreaterThan(1);
  }
});

describe("the examples of", () => {
  test.each(names)("%s are in its help, and can be called", async (name) => {
    const program = silentProgram();
    const command = listLeaves(program).find((each) => getFullName(each) === name);
    const { examples = name === "completions" ? completionExamples : [] } =
      (command && findCommandFacts(command)) ?? {};
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      // What a shell makes of it: the part before a pipe or a redirection, in words.
      const [call = ""] = example.split(/ [|>] /u);
      const words = [...call.matchAll(/"([^"]*)"|'([^']*)'|((?:[^\s"']|"[^"]*")+)/gu)].map(
        ([, double, single, plain = ""]) => double ?? single ?? plain.replaceAll('"', ""),
      );
      expect(example.startsWith(name) || name.endsWith(" ls")).toBe(true);
      await program.parseAsync(words, { from: "user" });
    }
    // The help of these is that of the package which has them.
    if (["serve", "backup", "restore", "bucket", "mcp"].includes(name)) return;
    const { code, stdout } = await runHere([...name.split(" "), "--help"]);
    expect(code).toBe(0);
    for (const example of examples) expect(stdout).toContain(`cloud-browser ${example}\n`);
  });
});

test("exit codes are one table: in the help, and in the guide", async () => {
  const { stdout } = await runHere(["--help"]);
  for (const line of exitCodeLines()) expect(stdout).toContain(line);
  const guide = readFileSync(new URL("../../../docs/guides/command-line.md", import.meta.url), "utf8");
  const rows = [...guide.matchAll(/^\| +(\d+) +\| (.+?) +\|$/gmu)].map(([, code, meaning]) => [Number(code), meaning]);
  expect(rows).toEqual(Object.values(exitCodes).map(([code, meaning]) => [code, meaning]));
});

test("every command is named in the guide", () => {
  const guide = readFileSync(new URL("../../../docs/guides/command-line.md", import.meta.url), "utf8");
  const unnamed = silentProgram()
    .commands.map((command) => command.name())
    .filter((name) => name !== "complete" && !guide.includes(`cloud-browser ${name}`));
  expect(unnamed).toEqual([]);
});

test.each(["bash", "zsh", "fish"])("completions for %s are a script that asks this program", async (shell) => {
  const lines: string[] = [];
  const { log } = console;
  console.log = (text: string) => void lines.push(text);
  try {
    expect((await runHere(["completions", shell])).code).toBe(0);
  } finally {
    console.log = log;
  }
  const script = lines.join("\n");
  expect(script).toContain(`${shell} completion for cloud-browser`);
  expect(script).toContain("complete --");
});

test("limits of flags are those of the document", async () => {
  const { CreateSession, AskPerson, RotateKey, KeyQuota } = control.components.schemas;
  const limits: readonly (readonly [args: string[], most: number])[] = [
    [["open", "--idle-limit"], CreateSession.properties.idle_limit_s.maximum],
    [["open", "--total-limit"], CreateSession.properties.total_limit_s.maximum],
    [["open", "--wait-s"], CreateSession.properties.wait_s.maximum],
    [["handover", "ask", "s", "m", "--deadline"], AskPerson.properties.deadline_s.maximum],
    [["keys", "rotate", "k", "--overlap"], RotateKey.properties.overlap_s.maximum],
    [["keys", "create", "k", "--max-runs"], KeyQuota.properties.runs.maximum],
    [["keys", "create", "k", "--max-sessions"], KeyQuota.properties.sessions.maximum],
    [["keys", "create", "k", "--max-profiles"], KeyQuota.properties.profiles.maximum],
  ];
  for (const [args, most] of limits) {
    await silentProgram().parseAsync([...args, String(most)], { from: "user" });
    const { code, stderr } = await runHere([...args, String(most + 1)]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(` to ${most}`)]);
  }
});
