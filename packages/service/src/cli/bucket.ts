import type { Command } from "commander";
import { parseBucketAddress } from "../storage/objects/bucket-address.ts";
import { prepareBucket } from "../storage/objects/prepare-bucket.ts";
import { makeEnvOption } from "./env-option.ts";
import { parseSeconds, parseWholeNumber } from "./option-parsers.ts";

interface PrepareFlags {
  readonly bucket: string;
  readonly days: number;
  /** In milliseconds. */
  readonly waitS: number;
}

/** Adds the command that prepares a bucket for recordings. */
export function register(program: Command): void {
  const bucket = program.command("bucket").description("prepare the bucket for recordings");
  bucket
    .command("prepare")
    .description("create the bucket if it does not exist, and add a lifecycle rule that deletes leftover recordings")
    .addOption(makeEnvOption("--bucket <url>", "s3://name/prefix?region=…&endpoint=https://…").makeOptionMandatory())
    .option(
      "--days <n>",
      "days after which the store deletes an object: longer than a session, and a day after that",
      parseWholeNumber({ min: 2, max: 3_650 }),
      3,
    )
    .option(
      "--wait-s <n>",
      "seconds to wait for a store that does not respond yet",
      parseSeconds({ min: 0, max: 3_600_000 }),
      0,
    )
    .action(prepare);
}

async function prepare({ bucket, days: count, waitS: waitMs }: PrepareFlags): Promise<void> {
  const address = parseBucketAddress(bucket);
  const { isNew, prefix } = await prepareBucket(address, count, waitMs);
  console.log(
    `The bucket ${address.bucket} ${isNew ? "was created" : "exists"}; objects below ${prefix} are deleted after ${count} days.`,
  );
}
