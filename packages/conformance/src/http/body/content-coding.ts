import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
// A named import of Zstandard would fail in older versions of Node.js, before the error that states the required version.
import * as zlib from "node:zlib";

/** Content codings that are undone, by their names in `Content-Encoding`. Source: RFC 9110, section 8.4.1; RFC 7932; RFC 8878. */
const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", zlib.createGunzip],
  ["x-gzip", zlib.createGunzip],
  ["deflate", zlib.createInflate],
  ["br", zlib.createBrotliDecompress],
  ["zstd", zlib.createZstdDecompress],
]);

/** Maximum number of codings of one body that are undone: each decoder takes memory. */
const maxCodings = 4;

/** Content of a message, to be read in place of the message. */
export interface Content extends Disposable {
  /** The message itself, when it has no content coding, or one that is not known. */
  readonly source: Readable;
  /** True when the bytes are in a content coding that is not known, and so are not the content. */
  readonly isUnknown: boolean;
}

/** Undoes the content codings of a message. The source fails when the bytes are not in the coding that the header names. */
export function decodeContent(message: IncomingMessage): Content {
  const codings = (message.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  const steps = codings.toReversed().flatMap((name) => decoders.get(name) ?? []);
  const isUnknown = steps.length < codings.length || steps.length > maxCodings;
  const streams = isUnknown ? [] : steps.map((make) => make());
  const source = streams.reduce<Readable>((before, decoder) => {
    if (before !== message) before.on("error", (error) => decoder.destroy(error));
    return before.pipe(decoder);
  }, message);
  return {
    source,
    isUnknown,
    [Symbol.dispose]: () => {
      for (const decoder of streams) decoder.destroy();
    },
  };
}
