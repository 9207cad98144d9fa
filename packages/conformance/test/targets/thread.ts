/** One thread of the proof: judges the targets whose places it is given. */
import { parentPort } from "node:worker_threads";
import { acquittalAt, killAt, type Acquittal, type Kill } from "./proofs.ts";

/** What a thread is asked for. */
export interface Order {
  readonly kind: "fault" | "correct";
  readonly place: number;
}

/** What it tells. */
export interface Told {
  readonly order: Order;
  readonly kill?: Kill;
  readonly acquittal?: Acquittal;
}

async function prove(order: Order): Promise<Told> {
  if (order.kind === "fault") return { order, kill: await killAt(order.place) };
  return { order, acquittal: await acquittalAt(order.place) };
}

parentPort?.on("message", (order: Order) => {
  void prove(order).then((told) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    parentPort?.postMessage(told);
  });
});
