import type { Hono } from "hono";
import { viewFile } from "../../control/file-view.ts";
import type { FileArchive } from "../../files/file-archive.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { FileRecord } from "../../storage/file-index.ts";
import { answerInvalid, answerProblem } from "../problems.ts";
import type { Fault } from "../../control/validation-faults.ts";
import { MalformedUpload, findUploadedFile } from "./uploaded-file.ts";
import { makeNoFilesError } from "../../session-refusals.ts";

/** Parts that the routes of files need. */
export interface FileRouteParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Their files. */
  readonly files: Pick<FileArchive, "list" | "findPath" | "serve">;
}

/** Most bytes of a body around its file. */
const envelopeBytes = 64 * 1_024;

const describeFault = (msg: string): Fault => ({ loc: ["body"], msg, type: "value_error" });

const path = "/control/sessions/:session_id/files";

/** How files of a session are listed, fetched and uploaded, by the key that created the session. */
export function addFileRoutes(app: Hono, { sessions, files }: FileRouteParts): void {
  const listRecords = async (id: string, key: string | null): Promise<readonly FileRecord[]> => {
    const record = await sessions.getRecord(id, key);
    return files.list(record.session_id, record.ended_ms !== null);
  };
  app.get(path, async (c) => {
    const all = await listRecords(c.req.param("session_id"), c.get("holder").name);
    return c.json({ files: all.map((file) => viewFile(file, files.findPath(file))) });
  });
  app.get(`${path}/:file_id`, async (c) => {
    const all = await listRecords(c.req.param("session_id"), c.get("holder").name);
    const file = all.find(({ file_id: id }) => id === c.req.param("file_id"));
    if (!file) return answerProblem(404, "the session has no such file, or it was deleted");
    if (file.state === "in_progress") {
      return answerProblem(409, "the file is not complete yet; try again", { "retry-after": "1" });
    }
    if (file.state !== "complete") return answerProblem(410, `the file was not kept: ${file.reason ?? file.state}`);
    return files.serve(file, c.req.raw);
  });
  app.post(path, async (c) => {
    const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    const sessionFiles = session.files;
    if (!sessionFiles) throw makeNoFilesError();
    const refusal = sessionFiles.findRefusal(Number(c.req.header("content-length") ?? 0) - envelopeBytes);
    if (refusal !== undefined) return answerTooLarge(refusal);
    const upload = await findUploadedFile(c.req.raw, c.req.query("name"));
    if ("fault" in upload) return answerInvalid([describeFault(upload.fault)]);
    session.touch();
    const file = await sessionFiles.upload(upload.name, upload.body, upload.complete).catch((error: unknown) => {
      if (error instanceof MalformedUpload) return error;
      throw error;
    });
    if (file instanceof MalformedUpload) return answerInvalid([describeFault(file.message)]);
    if ("tooLarge" in file) return answerTooLarge(file.tooLarge);
    session.touch();
    return c.json(viewFile(file, sessionFiles.findPath(file)), 201);
  });
}

function answerTooLarge(why: string): Response {
  return answerProblem(413, `the file is too large: ${why}`);
}
