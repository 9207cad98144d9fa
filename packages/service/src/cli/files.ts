import { createWriteStream, openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { type Command, Option } from "commander";
import type { FileView } from "../control/file-view.ts";
import { messageOf, ServiceError } from "../service-error.ts";
import { addReachFlags, askService, requestService, type ListFlags, type ReachFlags } from "./reach.ts";
import { printable } from "./columns.ts";

interface GetFlags extends ReachFlags {
  readonly output?: string;
}

/** Adds the commands that list, fetch and upload files of sessions. */
export function register(program: Command): void {
  const files = program.command("files").description("list, fetch and upload files of a session");
  const list = files
    .command("ls")
    .description("list downloads and uploads of a session, also after its end")
    .argument("<session_id>")
    .option("--json", "print them as JSON");
  addReachFlags(list).action(listFiles);
  const get = files
    .command("get")
    .description("fetch a file")
    .argument("<session_id>")
    .argument("<file>", "its id or its name")
    .addOption(
      new Option("-o, --output <path>", "where to write it; -: to standard output (default: under its name, here)"),
    );
  addReachFlags(get).action(getFile);
  const put = files
    .command("put")
    .description("upload a file for the file choosers of a session, and print its path for DOM.setFileInputFiles")
    .argument("<session_id>")
    .argument("<path>")
    .option("--json", "print the file as JSON");
  addReachFlags(put).action(putFile);
}

async function filesOf(id: string, flags: ReachFlags): Promise<readonly FileView[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  return ((await askService(flags, "GET", pathOf(id))) as { files: readonly FileView[] }).files;
}

async function listFiles(id: string, flags: ListFlags): Promise<void> {
  const files = await filesOf(id, flags);
  if (flags.json) return console.log(JSON.stringify(files, undefined, 2));
  if (files.length === 0) return console.log("No files.");
  for (const { file_id, origin, state, reason, size, name } of files) {
    const how = reason === null ? state : `${state} (${reason})`;
    const cells = [file_id, origin.padEnd(8), String(size).padStart(11), how, printable(name)];
    console.log(cells.join("  ").slice(0, process.stdout.columns));
  }
}

async function getFile(id: string, wanted: string, flags: GetFlags): Promise<void> {
  const found = (await filesOf(id, flags)).filter(({ file_id, name }) => file_id === wanted || name === wanted);
  const file = found.find(({ state }) => state === "complete") ?? found[0];
  if (!file) throw new ServiceError("usage", `the session has no file ${wanted}; list them with files ls`);
  const { body } = await requestService(flags, "GET", `${pathOf(id)}/${encodeURIComponent(file.file_id)}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same class of Node.js, which its types declare twice
  const bytes = body ? Readable.fromWeb(body as NodeReadableStream<Uint8Array>) : Readable.from([]);
  if (flags.output === "-") return pipeline(bytes, process.stdout, { end: false });
  // A name that a page has chosen replaces nothing.
  const to = flags.output ?? file.name;
  const target = createWriteStream(to, { flags: flags.output === undefined ? "wx" : "w" });
  try {
    await pipeline(bytes, target);
  } catch (cause) {
    throw new ServiceError(
      "usage",
      `${to} could not be written (${messageOf(cause)}); give another place with --output`,
      { cause },
    );
  }
  console.log(to);
}

async function putFile(id: string, path: string, flags: ListFlags): Promise<void> {
  let bytes: Blob;
  try {
    if (!(await stat(path)).isFile()) throw new Error("it is not a regular file");
    bytes = await openAsBlob(path);
  } catch (cause) {
    throw new ServiceError("usage", `${path} could not be read (${messageOf(cause)})`, { cause });
  }
  const name = encodeURIComponent(basename(path));
  const given = { "content-type": "application/octet-stream" };
  const answer = await requestService(flags, "POST", `${pathOf(id)}?name=${name}`, bytes, given);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const file = (await answer.json()) as FileView;
  console.log(flags.json ? JSON.stringify(file, undefined, 2) : file.path);
}

function pathOf(id: string): string {
  return `/control/sessions/${encodeURIComponent(id)}/files`;
}
