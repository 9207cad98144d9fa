/** One thread of the proof: judges targets by their places. */
import { parentPort } from "node:worker_threads";
import { theProduct } from "../kills/product.ts";
import { judgeFault, judgeProductFault, type Verdict } from "../kills/verdict.ts";
import { correctTargets, everyFault, isOnSocket, judgeCorrect, type Acquittal } from "./proofs.ts";

/** A job for a worker thread: a target, by its kind and its place among those of its kind. */
export interface Order {
  readonly kind: "fault" | "correct" | "product" | "socket";
  readonly place: number;
}

/** The result of a job. */
export interface JobResult {
  readonly order: Order;
  readonly acquittal?: Acquittal;
  readonly verdict?: Verdict;
}

/** Takes one of a list. */
function pick<Item>(items: readonly Item[], { kind, place }: Order): Item {
  const item = items[place];
  if (item === undefined) throw new Error(`there is no ${kind} ${place}`);
  return item;
}

async function prove(order: Order): Promise<JobResult> {
  const onSocket = order.kind === "socket" || isOnSocket(order.place);
  if (order.kind === "fault") return { order, verdict: await judgeFault(pick(everyFault, order).target, onSocket) };
  if (order.kind === "correct") return { order, acquittal: await judgeCorrect(pick(correctTargets, order), onSocket) };
  const { faults } = await theProduct();
  return { order, verdict: await judgeProductFault(pick(faults, order), order.kind === "socket") };
}

parentPort?.on("message", (order: Order) => {
  void prove(order).then((result) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    parentPort?.postMessage(result);
  });
});
