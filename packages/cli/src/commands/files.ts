import { createWriteStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { Option, type Command } from "commander";
import { describeArray, describeObject, findSchema } from "../output/output-schema.ts";
import { addCommand, addGroup, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { readMessage } from "../errors/exit-codes.ts";
import { openFile } from "../runs/run-files.ts";
import { printTable } from "../terminal/table.ts";

interface GetFlags {
  readonly output?: string;
}

/** Adds the commands that list, fetch and upload files of sessions. */
export function register(program: Command, context: ProgramContext): void {
  const files = addGroup(program, "files", "list, fetch and upload files of a session");
  addCommand(
    files,
    context,
    "ls",
    {
      summary: "list downloads and uploads of a session, also after its end",
      args: { "<session_id>": "id of the session" },
      output: describeArray(findSchema("control", "File")),
      examples: ["files ls 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b"],
    },
    list,
  );
  addCommand<GetFlags>(
    files,
    context,
    "get",
    {
      summary: "fetch a file",
      args: { "<session_id>": "id of the session", "<file>": "its id or its name" },
      options: [
        new Option("-o, --output <path>", "where to write it; -: to standard output (default: under its name, here)"),
      ],
      output: describeObject({ path: { type: "string" }, file: findSchema("control", "File") }),
      examples: [
        "files get 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b invoice.pdf",
        "files get 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b report.csv -o - | head",
      ],
    },
    get,
  );
  addCommand(
    files,
    context,
    "put",
    {
      summary: "upload a file for the file choosers of a session, and print its path for DOM.setFileInputFiles",
      args: { "<session_id>": "id of the session", "<path>": "file to upload" },
      output: findSchema("control", "File"),
      examples: ["files put 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b ./passport.jpg"],
    },
    put,
  );
}

async function list({ terminal, signal, connect, print }: Call<object>, id: string): Promise<void> {
  const { files } = await connect().control.files.list(id, { signal });
  print(files, () => {
    if (files.length === 0) return terminal.print("No files.");
    const columns = [
      { header: "FILE" },
      { header: "ORIGIN" },
      { header: "BYTES", isRight: true },
      { header: "STATE" },
      { header: "NAME" },
    ];
    const rows = files.map(({ file_id, origin, state, reason, size, name }) => [
      file_id,
      origin,
      String(size),
      reason === null ? state : `${state} (${reason})`,
      name,
    ]);
    printTable(terminal, columns, rows);
  });
}

async function get(call: Call<GetFlags>, id: string, nameOrId: string): Promise<void> {
  const { flags, terminal, signal, connect, print } = call;
  const { files: control } = connect().control;
  const { files } = await control.list(id, { signal });
  const found = files.filter(({ file_id, name }) => file_id === nameOrId || name === nameOrId);
  const file = found.find(({ state }) => state === "complete") ?? found[0];
  if (!file)
    throw new CliError(
      "not-found",
      `the session has no file ${nameOrId}; list them with: cloud-browser files ls ${id}`,
    );
  const { body } = await control.download(id, file.file_id, { signal });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same class of Node.js, which its types declare twice
  const bytes = body ? Readable.fromWeb(body as NodeReadableStream<Uint8Array>) : Readable.from([]);
  if (flags.output === "-") return pipeline(bytes, terminal.stdout, { end: false });
  // A name that a page has chosen is one name, here, and replaces nothing.
  const to = flags.output ?? basename(file.name);
  try {
    await pipeline(bytes, createWriteStream(to, { flags: flags.output === undefined ? "wx" : "w" }));
  } catch (cause) {
    const why = `${to} could not be written (${readMessage(cause)}); give another place with --output`;
    throw new CliError("usage", why, { cause });
  }
  print({ path: to, file }, () => terminal.print(to));
}

async function put({ terminal, signal, connect, print }: Call<object>, id: string, path: string): Promise<void> {
  const { name, bytes } = await openFile(path);
  const file = await connect().control.files.upload(id, name, bytes, { signal });
  print(file, () => terminal.print(file.path ?? ""));
}
