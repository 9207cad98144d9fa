/** Part of a file, both ends included. */
export interface ByteRange {
  /** First byte, from 0. */
  readonly first: number;
  /** Last byte. */
  readonly last: number;
}

/**
 * Parses a `Range` header (RFC 9110, 14.2): a part of it, all of it (also for what we need not honour: several parts,
 * other units, bad syntax), or what the file does not have.
 *
 * See RFC 9110.
 */
export function parseRange(header: string | null, size: number): ByteRange | "all" | "unsatisfiable" {
  const [, from, to] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/iu.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return "all";
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length > 0 ? { first: size - length, last: size - 1 } : "unsatisfiable";
  }
  const first = Number(from);
  const last = to === "" ? size - 1 : Number(to);
  if (last < first && to !== "") return "all";
  return first < size ? { first, last: Math.min(last, size - 1) } : "unsatisfiable";
}
