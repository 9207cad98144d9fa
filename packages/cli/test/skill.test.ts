import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Command } from "commander";
import { exitCodes } from "../src/errors/exit-codes.ts";
import { createProgram } from "../src/program/program.ts";
import { createTerminal } from "../src/terminal/terminal.ts";
import { commandsIn } from "./skill-commands.ts";

const skill = readFileSync(new URL("../../agent-tools/SKILL.md", import.meta.url), "utf8");
const commands = commandsIn(skill);

/** A program that reads its command line, and does nothing. */
function silentProgram(): Command {
  const { stdin, stdout, stderr } = process;
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
  const program = createProgram({ terminal, signal: new AbortController().signal, interrupt: () => {} });
  const silence = (command: Command): void => {
    if (command.commands.length === 0) command.action(() => {});
    for (const each of command.commands) silence(each);
  };
  silence(program);
  return program;
}

test("the skill of coding agents is short, says when it is for, and lies where agents look", () => {
  expect(skill.split("\n").length).toBeLessThanOrEqual(150);
  expect(skill).toMatch(/^---\nname: cloud-browser\ndescription: .{40,1024}\n---\n/u);
  expect(readFileSync(new URL("../../../skills/cloud-browser/SKILL.md", import.meta.url), "utf8")).toBe(skill);
});

test.each(commands)("the skill's %s can be called", async (...words) => {
  const [name = ""] = words;
  // These two are answered before the rest is read.
  const isAnswered = words.includes("--help") || words.includes("--json-schema");
  await silentProgram().parseAsync(isAnswered ? [name, ...(name === "open" ? ["about:blank"] : [])] : [...words], {
    from: "user",
  });
  expect(silentProgram().commands.map((command) => command.name())).toContain(name);
});

test("the skill has the commands that agents need, and each flag that it calls missing is", () => {
  const names = new Set(commands.map(([name]) => name));
  for (const name of [
    "doctor",
    "open",
    "scrape",
    "end",
    "automate",
    "runs",
    "run",
    "functions",
    "handover",
    "timeline",
    "replay",
    "cookies",
    "files",
    "ls",
    "mcp",
  ]) {
    expect([...names]).toContain(name);
  }
  const [, missing = ""] = /there is no (.+?)\. /u.exec(skill) ?? [];
  const flags: readonly string[] = missing.match(/--[\w-]+/gu) ?? [];
  expect(flags.length).toBeGreaterThan(2);
  const listFlags = (command: Command): readonly string[] => [
    ...command.options.map(({ long }) => long ?? ""),
    ...command.commands.flatMap(listFlags),
  ];
  expect(listFlags(silentProgram()).filter((flag) => flags.includes(flag))).toEqual([]);
});

test("the skill tells the exit codes that there are", () => {
  const [line = ""] = /Exit codes: [^]*?the run may continue/u.exec(skill) ?? [];
  const codes = [...line.matchAll(/(?:·\s+|: )(\d) /gu)].map(([, code]) => Number(code));
  expect(codes).toEqual(
    Object.values(exitCodes)
      .map(([code]) => code)
      .filter((code) => code < 10),
  );
});
