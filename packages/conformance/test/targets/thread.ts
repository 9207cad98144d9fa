/** One thread of the proof: judges the targets whose places it is given. */
import { parentPort } from "node:worker_threads";
import { faultAt } from "../kills/product.ts";
import { verdictOn, verdictOverSocket, type Verdict } from "../kills/verdict.ts";
import { acquittalAt, killAt, type Acquittal, type Kill } from "./proofs.ts";

/** A job for a worker thread. */
export interface Order {
  readonly kind: "fault" | "correct" | "product" | "socket";
  readonly place: number;
}

/** The result of a job. */
export interface Told {
  readonly order: Order;
  readonly kill?: Kill;
  readonly acquittal?: Acquittal;
  readonly verdict?: Verdict;
}

async function prove(order: Order): Promise<Told> {
  if (order.kind === "fault") return { order, kill: await killAt(order.place) };
  if (order.kind === "product") return { order, verdict: await verdictOn(await faultAt(order.place)) };
  if (order.kind === "socket") return { order, verdict: await verdictOverSocket(await faultAt(order.place)) };
  return { order, acquittal: await acquittalAt(order.place) };
}

parentPort?.on("message", (order: Order) => {
  void prove(order).then((told) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    parentPort?.postMessage(told);
  });
});
