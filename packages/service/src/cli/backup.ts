import type { Command } from "commander";
import { makeBackup, type BackupReport } from "../backup/make-backup.ts";
import { restoreBackup, type RestoreReport } from "../backup/restore-backup.ts";
import { DataFolder } from "../data-folder.ts";
import { makeDataOption } from "./serve/data-flag.ts";

/** Flags of both commands. */
interface BackupFlags {
  readonly data: string;
  readonly json?: true;
}

/** Adds the commands that copy the data folder of a service, and make one of such a copy. */
export function register(program: Command): void {
  program
    .command("backup")
    .description("copy the data folder of a service to a new folder, while the service runs or not")
    .argument("<folder>", "where the backup is made: a folder that does not exist, or is empty")
    .addOption(makeDataOption())
    .option("--json", "print JSON")
    .addHelpText("after", backupHelp)
    .action((folder: string, flags: BackupFlags) =>
      untilInterrupted(async (signal) => {
        const report = await makeBackup(new DataFolder(flags.data), folder, signal);
        console.log(flags.json ? JSON.stringify(report, undefined, 2) : describeBackup(report));
      }),
    );
  program
    .command("restore")
    .description("make a data folder of a backup, once all of the backup was checked")
    .argument("<folder>", "the backup")
    .addOption(makeDataOption())
    .option("--json", "print JSON")
    .addHelpText("after", restoreHelp)
    .action((folder: string, flags: BackupFlags) =>
      untilInterrupted(async (signal) => {
        const report = await restoreBackup(folder, flags.data, signal);
        console.log(flags.json ? JSON.stringify(report, undefined, 2) : describeRestore(report));
      }),
    );
}

const backupHelp = `
All is copied in the end, or nothing. Recordings that are still being made are left out, and said. A backup has the API key of the data folder:
keep it as safe as the data folder. What it does not hold is said when it is made: the key of profiles, what is in PostgreSQL or in a bucket.

Examples:
  cloud-browser backup /var/backups/cloud-browser-monday
  cloud-browser backup --data /var/lib/cloud-browser --json /var/backups/cloud-browser-monday`;

const restoreHelp = `
The data folder is written for its owner alone, and must not exist yet, or be empty. Run it as the user of the service.

Examples:
  cloud-browser restore /var/backups/cloud-browser-monday --data /var/lib/cloud-browser-2
  cloud-browser serve --data /var/lib/cloud-browser-2`;

function describeBackup(report: BackupReport): string {
  const { backup, files, bytes, records, recordings, session_files, not_held } = report;
  return [
    `The backup is made: ${backup}`,
    ``,
    `  records     ${describeCounts(records)}`,
    `  recordings  ${recordings}`,
    `  files       ${session_files} of sessions`,
    `  in all      ${files} files, ${describeSize(bytes)}`,
    ``,
    `It does not hold:`,
    ...not_held.map((what) => `  - ${what}`),
  ].join("\n");
}

function describeRestore({ data, created_at, files, bytes, records }: RestoreReport): string {
  return [
    `The backup of ${created_at} is restored: ${data}`,
    ``,
    `  records     ${describeCounts(records)}`,
    `  in all      ${files} files, ${describeSize(bytes)}`,
    ``,
    `Sessions that were open then are recorded as service-died at the next start. Keys that were revoked after the backup are valid again.`,
  ].join("\n");
}

function describeCounts(records: Readonly<BackupReport["records"]>): string {
  return Object.entries(records)
    .map(([name, amount]) => `${amount} ${amount === 1 ? name.slice(0, -1) : name}`)
    .join(", ");
}

function describeSize(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Exit code after Ctrl-C. */
const interruptedCode = 130;

/** Does work that the first signal aborts: what it has written is removed then. A second one ends the process at once. */
async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(interruptedCode);
    controller.abort();
  };
  for (const signal of signals) process.on(signal, interrupt);
  try {
    await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    console.error("cloud-browser: interrupted; nothing is left of it");
    process.exitCode = interruptedCode;
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt);
  }
}
