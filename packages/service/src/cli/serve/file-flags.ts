import type { Command } from "commander";
import type { ServiceOptions } from "../../service-options.ts";
import { toMiB, settingRanges as ranges } from "../../setting-ranges.ts";
import { makeEnvOption } from "../env-option.ts";
import { parseWholeNumber } from "../option-parsers.ts";
import { pickDefined, multiply } from "./flag-values.ts";

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
      makeEnvOption(
        "--max-files <n>",
        "limit of the files of a session, downloads and uploads (default: 100)",
      ).argParser(parseWholeNumber(ranges["fileLimits.count"])),
    )
    .addOption(
      makeEnvOption("--max-file-size <MiB>", "limit of one file of a session in MiB (default: 100)").argParser(
        parseWholeNumber(toMiB(ranges["fileLimits.fileBytes"])),
      ),
    )
    .addOption(
      makeEnvOption("--max-files-size <MiB>", "limit of all files of a session in MiB (default: 1024)").argParser(
        parseWholeNumber(toMiB(ranges["fileLimits.totalBytes"])),
      ),
    );
}

/** Returns the limits of files that the flags give. */
export function readFileFlags(flags: FileFlags): NonNullable<ServiceOptions["fileLimits"]> {
  return pickDefined({
    count: flags.maxFiles,
    fileBytes: multiply(flags.maxFileSize, 2 ** 20),
    totalBytes: multiply(flags.maxFilesSize, 2 ** 20),
  });
}
