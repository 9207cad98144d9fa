import { crc32 } from "node:zlib";

/** One entry of a journal. */
export interface JournalRecord {
  /** `picture`: the screen changed. `still`: it is still as it was. `end`: nothing follows. */
  readonly kind: "picture" | "still" | "end";
  /** Its moment, in whole milliseconds from the start of the session. */
  readonly atMs: number;
  /** The screen as a JPEG file; empty unless it is a `picture`. */
  readonly jpeg: Uint8Array;
}

/** Signature at the start of every journal: its format and version. */
export const journalSignature = Buffer.from("CBJRNL1\n", "ascii");

/** Checksum, kind, moment, length of the picture. */
const headBytes = 4 + 1 + 6 + 4;
const kinds = ["picture", "still", "end"] as const;

/** The bytes before the picture of an entry. A checksum over the entry detects a torn one. */
export function recordHead({ kind, atMs, jpeg }: JournalRecord): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(kinds.indexOf(kind), 4);
  head.writeUIntBE(atMs, 5, 6);
  head.writeUInt32BE(jpeg.length, 11);
  head.writeUInt32BE(crc32(jpeg, crc32(head.subarray(4))), 0);
  return head;
}

/** Parses the complete entries of a journal, up to the first torn one. */
export function parseJournal(bytes: Buffer): JournalRecord[] {
  const records: JournalRecord[] = [];
  if (!bytes.subarray(0, journalSignature.length).equals(journalSignature)) return records;
  let offset = journalSignature.length;
  while (offset + headBytes <= bytes.length) {
    const end = offset + headBytes + bytes.readUInt32BE(offset + 11);
    const kind = kinds[bytes.readUInt8(offset + 4)];
    if (end > bytes.length || !kind) break;
    if (crc32(bytes.subarray(offset + 4, end)) !== bytes.readUInt32BE(offset)) break;
    records.push({ kind, atMs: bytes.readUIntBE(offset + 5, 6), jpeg: bytes.subarray(offset + headBytes, end) });
    offset = end;
  }
  return records;
}
