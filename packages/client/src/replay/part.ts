/** Content of a response of the file host: a part of the file, or all of it. */
export interface FilePart {
  /** Offset of its first byte in the file; NaN when a 206 lacks it. */
  readonly start: number;
  /** Size of the file in bytes, if known; a later response may have it. */
  size: number | undefined;
  /** Strong validator: an `ETag`, or else a `Last-Modified` that is strong enough. */
  readonly validator: string | undefined;
  /** True when the runtime decompresses it, so that ranges can't be used. */
  readonly encoded: boolean;
}

/** Reads the headers of a 200, 206 or 416. */
export function createPart({ status, headers }: Response): FilePart {
  const encoded = /gzip|deflate|br|zstd/i.test(headers.get("content-encoding") ?? "");
  const validator = findValidator(headers);
  if (status === 200) {
    const length = headers.get("content-length");
    return { start: 0, size: encoded || !length ? undefined : Number(length), validator, encoded };
  }
  const [, start = "", size] = /^bytes (?:(\d+)-\d+|\*)\/(?:(\d+)|\*)$/.exec(headers.get("content-range") ?? "") ?? [];
  return { start: parseInt(start), size: size ? Number(size) : undefined, validator, encoded };
}

/** Returns whether a part can continue an earlier one: both are known to be of the same content. */
export function continues(part: FilePart, earlier: FilePart, { status, headers }: Response): boolean {
  // A 206 in response to `If-Range` may omit `Last-Modified`.
  const undated = status === 206 && !headers.has("last-modified") && part.validator === undefined;
  const unchanged = part.validator === earlier.validator || (undated && !earlier.validator?.startsWith('"'));
  const sameSize = part.size === undefined || earlier.size === undefined || part.size === earlier.size;
  return earlier.validator !== undefined && unchanged && sameSize && part.encoded === earlier.encoded;
}

/** Returns the validator of a response. A date is strong if it is at least a second old: two versions can't share it. */
function findValidator(headers: Headers): string | undefined {
  const tag = headers.get("etag");
  if (tag?.startsWith('"')) return tag;
  const modified = headers.get("last-modified");
  const age = Date.parse(headers.get("date") ?? "") - Date.parse(modified ?? "");
  return modified && age >= 1000 ? modified : undefined;
}
