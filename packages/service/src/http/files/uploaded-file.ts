import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { parse as parseDisposition } from "content-disposition";
import { describeServiceError } from "../../service-error.ts";

/** A file in the body of a request: its name as the client gave it, and its bytes, which have to be read or destroyed. */
export interface UploadedFile {
  readonly name: string;
  readonly body: Readable;
  /** Resolves when the rest of the request has been read; rejects when it is malformed. */
  readonly complete: Promise<void>;
}

/** Longest head of a part, in bytes. */
const headerSize = 16 * 1_024;

/**
 * Finds the file in a request: the only file of `multipart/form-data`, or the whole body with the name in the query (`name`) or in
 * `Content-Disposition`.
 *
 * @returns The file, or what is wrong with the request.
 */
export async function findUploadedFile(
  request: Request,
  named: string | undefined,
): Promise<UploadedFile | { readonly fault: string }> {
  const { headers } = request;
  if (!request.body) return { fault: "the body is empty: send the file" };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same class of Node.js, which its types declare twice
  const body = Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>);
  if (/^multipart\/form-data\s*(?:;|$)/i.test(headers.get("content-type") ?? "")) return findPart(headers, body, named);
  const name = named ?? findName(headers.get("content-disposition"));
  if (name === undefined || name === "") {
    body.destroy();
    return {
      fault:
        "the name of the file is missing: send it as ?name=…, in Content-Disposition, or as a part of multipart/form-data",
    };
  }
  return { name, body, complete: Promise.resolve() };
}

function findName(disposition: string | null): string | undefined {
  if (disposition === null) return undefined;
  try {
    return parseDisposition(disposition).parameters["filename"];
  } catch {
    return undefined;
  }
}

/** A request that is no `multipart/form-data` with one file. */
export class MalformedUpload extends Error {}

function findPart(
  headers: Headers,
  body: Readable,
  named: string | undefined,
): Promise<UploadedFile | { readonly fault: string }> {
  const found = Promise.withResolvers<UploadedFile | { readonly fault: string }>();
  const complete = Promise.withResolvers<void>();
  complete.promise.catch(() => undefined); // may come before somebody waits for it
  let file: Readable | undefined;
  const fail = (why: string): void => {
    const error = new MalformedUpload(`malformed multipart/form-data: ${why}`);
    found.resolve({ fault: error.message });
    complete.reject(error);
    file?.destroy(error);
    body.destroy();
  };
  const parser = createParser(headers);
  if (typeof parser === "string") {
    fail(parser);
    return found.promise;
  }
  parser.on("file", (_field, part, name) => {
    part.on("error", () => undefined); // whoever reads it hears of it
    file = part;
    const its = named ?? name;
    if (its === undefined || its === "") fail("the part has no filename");
    else found.resolve({ name: its, body: part, complete: complete.promise });
  });
  parser.on("filesLimit", () => fail("one file at a time is taken"));
  parser.on("partsLimit", () => fail("too many parts"));
  parser.on("error", (error) => fail(describeServiceError(error)));
  parser.on("finish", () => {
    found.resolve({ fault: "no part of multipart/form-data is a file: give it a filename" });
    complete.resolve();
  });
  body.on("error", (error) => {
    complete.reject(error);
    file?.destroy(error);
    parser.destroy();
    found.resolve({ fault: "the body broke off" });
  });
  body.pipe(parser);
  return found.promise;
}

/** Returns the parser of a request, or why it has none. */
function createParser(headers: Headers): BusboyInstance | string {
  const limits = { files: 1, fields: 10, fieldSize: 1_024, parts: 11, headerSize };
  try {
    return new Busboy({ headers: { "content-type": headers.get("content-type") ?? "" }, limits });
  } catch (error) {
    return describeServiceError(error);
  }
}
