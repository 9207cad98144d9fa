/** Part of a file, as a response of the file host describes it. */
export interface Part {
  /** Offset in the file of its first byte; NaN when a 206 does not say it. */
  readonly start: number;
  /** Size of the whole file in bytes, when it is told; what the first response does not tell, a later one may. */
  size: number | undefined;
  /** Validator of this content, byte by byte: a strong `ETag`, or else a safe `Last-Modified`. */
  readonly validator: string | undefined;
  /** True when the runtime decodes it, so that its bytes are not those that a range counts. */
  readonly encoded: boolean;
}

/** Reads the headers of a 200, 206 or 416. */
export function partOf({ status, headers }: Response): Part {
  const encoded = /gzip|deflate|br|zstd/i.test(headers.get("content-encoding") ?? "");
  const validator = validatorOf(headers);
  if (status === 200) {
    const length = headers.get("content-length");
    return { start: 0, size: encoded || !length ? undefined : Number(length), validator, encoded };
  }
  const [, start = "", size] = /^bytes (?:(\d+)-\d+|\*)\/(?:(\d+)|\*)$/.exec(headers.get("content-range") ?? "") ?? [];
  return { start: parseInt(start), size: size ? Number(size) : undefined, validator, encoded };
}

/** Tells whether bytes of a part can follow bytes of an earlier one: both are known to be of the same content. */
export function continues(part: Part, earlier: Part, { status, headers }: Response): boolean {
  // A 206 to `If-Range` may leave out its date.
  const undated = status === 206 && !headers.has("last-modified") && part.validator === undefined;
  const unchanged = part.validator === earlier.validator || (undated && !earlier.validator?.startsWith('"'));
  const sameSize = part.size === undefined || earlier.size === undefined || part.size === earlier.size;
  return earlier.validator !== undefined && unchanged && sameSize && part.encoded === earlier.encoded;
}

/** A date is safe when the content had not changed for a second: then two contents can't share it. */
function validatorOf(headers: Headers): string | undefined {
  const tag = headers.get("etag");
  if (tag?.startsWith('"')) return tag;
  const modified = headers.get("last-modified");
  const age = Date.parse(headers.get("date") ?? "") - Date.parse(modified ?? "");
  return modified && age >= 1000 ? modified : undefined;
}
