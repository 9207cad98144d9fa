import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** Adds the command that prints completions for a shell, and the hidden one that the shell asks. To be called when all others are there. */
export function register(program: Command): void {
  tab(program, { completionCommandName: "completions" });
  const command = program.commands.find((each) => each.name() === "completions");
  command
    ?.description("print completions for a shell: zsh, bash, fish or powershell")
    .addHelpText("after", `\nExamples:\n${completionExamples.map((each) => `  cloud-browser ${each}`).join("\n")}`);
}

/** Calls of it. */
export const completionExamples = [
  "completions bash > ~/.local/share/bash-completion/completions/cloud-browser",
  "completions zsh > ~/.zfunc/_cloud-browser",
  "completions fish > ~/.config/fish/completions/cloud-browser.fish",
];
