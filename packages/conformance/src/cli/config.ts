import type { Command } from "commander";
import { redactAddress } from "../redaction/shown-address.ts";
import { addSettingFlags, readSetup, type RunFlags } from "./flags.ts";

/** Adds `conformance config`, which shows the value and the source of each setting. */
export function register(program: Command): void {
  const command = program
    .command("config")
    .description("show the value and the source of every setting; sends nothing")
    .option("--json", "as JSON");
  addSettingFlags(command).action(show);
}

async function show(flags: RunFlags & { readonly json?: boolean }): Promise<void> {
  const { file, baseUrl, settings } = await readSetup(flags);
  if (flags.json === true) {
    console.log(JSON.stringify({ file: file ?? null, settings }, null, 2));
    return;
  }
  const width = Math.max(...settings.map(({ name }) => name.length));
  const rows = settings.map(({ name, value, source }) => `${name.padEnd(width)}  ${source.padEnd(11)}  ${value}`);
  console.log(`Configuration file: ${file ?? "none"}`);
  console.log(`Target: ${baseUrl === undefined ? "prism, a mock of the contract" : redactAddress(baseUrl)}\n`);
  console.log(rows.join("\n"));
}
