import { z } from "zod";

/** How calls to the system fail: with an error of the system, or they never end. */
export const faultKinds = ["ENOSPC", "EIO", "EMFILE", "EACCES", "hang"] as const;

/** One of them. */
export type FaultKind = (typeof faultKinds)[number];

const faultForm = z.object({ place: z.string(), kind: z.enum(faultKinds) }).readonly();

/** A call that fails, wherever it is made from that source: `recorder/src/journal/journal.ts open`. */
export type Fault = z.infer<typeof faultForm>;

/** Reads a fault from JSON; undefined for null. */
export function parseFault(text: string): Fault | undefined {
  return faultForm.nullable().parse(JSON.parse(text)) ?? undefined;
}
