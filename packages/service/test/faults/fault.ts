import { z } from "zod";

/** How calls to the system fail: with an error of the system, or they never end. */
export const faultKinds = ["ENOSPC", "EIO", "EMFILE", "EACCES", "hang"] as const;

/**
 * Rarer errors of the system, of which each place is tried with one: a file system that was made read-only, a quota, a file that is
 * gone, a folder that is a file, a server of files that was restarted, a file system that is damaged (Node.js has no name for that), a
 * pipe that is closed. What databases say instead is in `injection.ts`.
 */
export const rareKinds = ["EROFS", "EDQUOT", "ENOENT", "ENOTDIR", "ESTALE", "EUCLEAN", "EPIPE"] as const;

/** One of them. */
export type FaultKind = (typeof faultKinds)[number] | (typeof rareKinds)[number];

const faultForm = z.object({ place: z.string(), kind: z.enum([...faultKinds, ...rareKinds]) }).readonly();

/** Gives each place one of the rarer errors; the same one each time. */
export function getRareKind(place: string, places: readonly string[]): FaultKind {
  return rareKinds[places.indexOf(place) % rareKinds.length] ?? "EROFS";
}

/** A call that fails, wherever it is made from that source: `recorder/src/journal/journal.ts open`. */
export type Fault = z.infer<typeof faultForm>;

/** Reads a fault from JSON; undefined for null. */
export function parseFault(text: string): Fault | undefined {
  return faultForm.nullable().parse(JSON.parse(text)) ?? undefined;
}
