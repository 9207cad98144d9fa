import type { CloudBrowserControl, ControlSchemas } from "@cloud-browser/client/control";
import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Option } from "commander";
import { CliError } from "../errors/cli-error.ts";
import { readMessage } from "../errors/exit-codes.ts";

/** A file that a run is started with: its bytes, or where they were uploaded to. */
type RunFile = ControlSchemas["RunFiles"][number];

/** A file of this machine. */
export interface FileToSend {
  /** Last part of its path. */
  readonly name: string;
  /** Its bytes, which are read when they are sent. */
  readonly bytes: Blob;
}

/** Most bytes of all files together that are sent with a request itself: its body may have 1 MiB, and Base64 takes a third more. */
const inlineBytes = 600_000;

/** Time in seconds after which a session that only holds uploads ends by itself, where this program was killed meanwhile. */
const holdingSeconds = 600;

/** Returns the option that names the files of a run. */
export function fileOption(): Option {
  return new Option("--file <path>", "file that it may upload, by its name; repeatable")
    .argParser<readonly string[]>((path, before) => [...before, path])
    .default([], "none");
}

/** Opens a file of this machine. @throws {CliError} `usage` when it can't be read, or is a folder or a device. */
export async function openFile(path: string): Promise<FileToSend> {
  try {
    if (!(await stat(path)).isFile()) throw new Error("it is not a regular file");
    return { name: basename(path), bytes: await openAsBlob(path) };
  } catch (cause) {
    throw new CliError("usage", `${path} could not be read (${readMessage(cause)})`, { cause });
  }
}

/**
 * Makes files of this machine ready for a run, which finds them by their names: small ones go with its request, larger ones are uploaded
 * to a session that only holds them.
 *
 * @returns What the request says of them: nothing where there are none.
 * @throws {CliError} `usage` when one can't be read, or two have the same name.
 */
export async function prepareRunFiles(
  paths: readonly string[],
  control: Pick<CloudBrowserControl, "files" | "sessions">,
  signal: AbortSignal,
): Promise<{ readonly files?: RunFile[] }> {
  if (paths.length === 0) return {};
  const files = await Promise.all(paths.map(openFile));
  const names = files.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) {
    throw new CliError("usage", `two of the files are named ${duplicate}: give them names of their own`);
  }
  if (files.reduce((sum, { bytes }) => sum + bytes.size, 0) > inlineBytes) {
    return { files: await upload(files, control, signal) };
  }
  return { files: await Promise.all(files.map(encode)) };
}

async function encode({ name, bytes }: FileToSend): Promise<RunFile> {
  return { name, base64: Buffer.from(await bytes.arrayBuffer()).toString("base64") };
}

async function upload(
  files: readonly FileToSend[],
  control: Pick<CloudBrowserControl, "files" | "sessions">,
  signal: AbortSignal,
): Promise<RunFile[]> {
  const { session_id: sessionId } = await control.sessions.open({ idle_limit_s: holdingSeconds }, { signal });
  try {
    const uploads: RunFile[] = [];
    for (const { name, bytes } of files) {
      const { file_id: fileId } = await control.files.upload(sessionId, name, bytes, { signal });
      uploads.push({ session_id: sessionId, file_id: fileId, name });
    }
    return uploads;
  } finally {
    // What was uploaded is kept beyond its end.
    await control.sessions.end(sessionId);
  }
}
