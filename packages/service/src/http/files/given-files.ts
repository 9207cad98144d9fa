import { Readable } from "node:stream";
import { compileValidator } from "../../control/control-schemas.ts";
import { toFaults, type Fault } from "../../control/validation-faults.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { GivenFile } from "../../files/given-file.ts";
import type { FileArchive } from "../../files/file-archive.ts";

/** A file as a request gives it: a name and its bytes, or a file of a session of the same key. */
interface FileRequest {
  readonly name?: string;
  readonly base64?: string;
  readonly session_id?: string;
  readonly file_id?: string;
}

/** Where the files of other sessions are found. */
export interface GivenFileParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Their files. */
  readonly files: Pick<FileArchive, "list" | "read">;
}

const validate = compileValidator<readonly FileRequest[]>("RunFiles");

/**
 * Reads the files that a body gives a run.
 *
 * @param key - Name of the key that asks.
 * @returns The files, or what is wrong with the body.
 */
export async function readGivenFiles(
  body: unknown,
  key: string | null,
  parts: GivenFileParts,
): Promise<{ readonly files: readonly GivenFile[] } | { readonly faults: readonly Fault[] }> {
  const entries: unknown = typeof body === "object" && body !== null && "files" in body ? body.files : [];
  if (!validate(entries)) {
    const faults = toFaults(validate.errors ?? []);
    return { faults: faults.map(({ loc, msg, type }) => ({ loc: ["body", "files", ...loc.slice(1)], msg, type })) };
  }
  const files: GivenFile[] = [];
  for (const [index, one] of entries.entries()) {
    const file = await readFile(one, key, parts);
    if (typeof file === "string")
      return { faults: [{ loc: ["body", "files", index], msg: file, type: "value_error" }] };
    files.push(file);
  }
  return { files };
}

/** Returns a file, or why there is none. */
async function readFile(
  { name, base64, session_id: id, file_id: fileId }: FileRequest,
  key: string | null,
  { sessions, files }: GivenFileParts,
): Promise<GivenFile | string> {
  if (name !== undefined && base64 !== undefined && id === undefined && fileId === undefined)
    return { name, read: async () => Readable.from([Buffer.from(base64, "base64")]) };
  if (id === undefined || fileId === undefined || base64 !== undefined)
    return "Input should have name and base64, or session_id and file_id";
  const record = await sessions.getRecord(id, key).catch(() => undefined);
  if (!record) return "There is no such session";
  const file = (await files.list(id, record.ended_ms !== null)).find(({ file_id: its }) => its === fileId);
  if (!file) return "The session has no such file, or it was deleted";
  if (file.state !== "complete") return `The file is not complete: ${file.reason ?? file.state}`;
  return { name: name ?? file.name, read: () => files.read(file) };
}
