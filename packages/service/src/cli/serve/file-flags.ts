import type { Command } from "commander";
import type { ServiceOptions } from "../../service-options.ts";
import { inMiB, settingRanges as ranges } from "../../setting-ranges.ts";
import { env } from "../env-option.ts";
import { wholeNumber } from "../option-parsers.ts";
import { given, times } from "./flag-values.ts";

/** Command-line flags of the files of sessions. */
export interface FileFlags {
  /** Most files of a session. */
  readonly maxFiles?: number;
  /** In MiB. */
  readonly maxFileSize?: number;
  /** In MiB. */
  readonly maxFilesSize?: number;
}

/** Adds the flags of the files of sessions. */
export function addFileFlags(command: Command): Command {
  return command
    .addOption(
      env("--max-files <n>", "limit of the files of a session, downloads and uploads (default: 100)").argParser(
        wholeNumber(ranges["fileLimits.count"]),
      ),
    )
    .addOption(
      env("--max-file-size <MiB>", "limit of one file of a session in MiB (default: 100)").argParser(
        wholeNumber(inMiB(ranges["fileLimits.fileBytes"])),
      ),
    )
    .addOption(
      env("--max-files-size <MiB>", "limit of all files of a session in MiB (default: 1024)").argParser(
        wholeNumber(inMiB(ranges["fileLimits.totalBytes"])),
      ),
    );
}

/** Returns the limits of files that the flags give. */
export function fileLimitsOf(flags: FileFlags): NonNullable<ServiceOptions["fileLimits"]> {
  return given({
    count: flags.maxFiles,
    fileBytes: times(flags.maxFileSize, 2 ** 20),
    totalBytes: times(flags.maxFilesSize, 2 ** 20),
  });
}
