import { open, type FileHandle } from "node:fs/promises";
import { answered } from "../async.ts";
import { storageFailure } from "../storage-failure.ts";
import { parseRange, type ByteRange } from "./byte-range.ts";

/** A file that may be served. */
export interface ServableFile {
  /** Its path. */
  readonly path: string;
  /** Its length in bytes. */
  readonly size: number;
  /** Its media type. */
  readonly type: string;
  /** Time of its last change, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Bytes read at a time. */
const blockBytes = 256 * 1024;

/**
 * Answers a GET or HEAD for a file that never changes: whole or one range (206, 416), with a validator for `If-Range`
 * and `If-None-Match`. Reads the first block before it answers; opens the file again when more of the body is read, and closes it when
 * that ends or breaks off.
 *
 * See RFC 9110.
 *
 * @throws {RecorderError} `storage-failed` when the file can't be read.
 *
 * @example
 * ```ts from=examples/api/recorder/serve-file.ts
 * import { stat, writeFile } from "node:fs/promises";
 * import { serveFile } from "@cloud-browser/recorder";
 *
 * await writeFile("replay.mp4", "a video");
 * const { size, mtimeMs } = await stat("replay.mp4");
 * const request = new Request("http://127.0.0.1/replay.mp4", { headers: { range: "bytes=2-" } });
 * const response = await serveFile(request, { path: "replay.mp4", size, type: "video/mp4", modifiedMs: mtimeMs });
 * console.log(response.status, response.headers.get("content-range"), await response.text()); // 206 bytes 2-6/7 video
 * ```
 */
export async function serveFile(request: Request, file: ServableFile): Promise<Response> {
  const tag = `"${file.size.toString(36)}-${Math.floor(file.modifiedMs).toString(36)}"`;
  const modified = new Date(file.modifiedMs).toUTCString();
  const headers = new Headers({
    "accept-ranges": "bytes",
    "cache-control": "private, no-transform",
    "content-type": file.type,
    etag: tag,
    "last-modified": modified,
    "x-content-type-options": "nosniff",
  });
  if (isKnown(request, tag)) return new Response(null, { status: 304, headers });
  const ifRange = request.headers.get("if-range");
  const rangeHolds = request.method === "GET" && (ifRange === null || ifRange === tag || ifRange === modified);
  const range = rangeHolds ? parseRange(request.headers.get("range"), file.size) : "all";
  if (range === "unsatisfiable") {
    headers.set("content-range", `bytes */${file.size}`);
    headers.delete("content-type");
    return new Response(null, { status: 416, headers });
  }
  const part = range === "all" ? { first: 0, last: file.size - 1 } : range;
  headers.set("content-length", String(part.last - part.first + 1));
  if (range !== "all") headers.set("content-range", `bytes ${part.first}-${part.last}/${file.size}`);
  const body = request.method === "HEAD" ? null : openStream(file.path, part, await firstBlock(file.path, part));
  return new Response(body, { status: range === "all" ? 200 : 206, headers });
}

function isKnown(request: Request, tag: string): boolean {
  const named = (request.headers.get("if-none-match") ?? "").split(",");
  return named.some((one) => ["*", tag, `W/${tag}`].includes(one.trim()));
}

/** Reads the first block of a part, so that a file that can't be read is an error instead of an incomplete answer. */
async function firstBlock(path: string, { first, last }: ByteRange): Promise<Uint8Array> {
  try {
    const file = await answered("the file can't be read", open(path));
    try {
      return await answered("the file can't be read", readBlock(file, first, last));
    } finally {
      void file.close().catch(() => undefined);
    }
  } catch (cause) {
    throw storageFailure("the file can't be read", cause);
  }
}

async function readBlock(file: FileHandle, position: number, last: number): Promise<Uint8Array> {
  const block = new Uint8Array(Math.min(blockBytes, last - position + 1));
  const { bytesRead } = await file.read(block, 0, block.length, position);
  if (bytesRead === 0 && block.length > 0) throw new Error("a file became shorter while it was sent");
  return block.subarray(0, bytesRead);
}

function openStream(path: string, { first, last }: ByteRange, begin: Uint8Array): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  let next: Uint8Array | undefined = begin;
  let position = first;
  const close = async (): Promise<void> => {
    await file?.close();
    file = undefined;
  };
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const block = next ?? (await readBlock((file ??= await open(path)), position, last));
          next = undefined;
          position += block.length;
          if (block.length > 0) controller.enqueue(block);
          if (position <= last) return;
          await close();
          controller.close();
        } catch (error) {
          await close();
          throw error;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
