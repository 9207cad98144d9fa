/** Judges all targets, on two threads of this process. */
import { Worker } from "node:worker_threads";
import { correctTargets, everyFault, type Acquittal, type Kill } from "./proofs.ts";
import type { Order, Told } from "./thread.ts";

/** The self-test is meant for two cores. */
const threads = 2;
/** Runs under way at the same time in each: enough to fill the pauses of the others. */
const lanes = 3;

/** What all runs say, in the order of the tables. */
export interface Proof {
  readonly kills: readonly Kill[];
  readonly acquittals: readonly Acquittal[];
}

/** Judges every target. */
export async function proveAll(): Promise<Proof> {
  const orders: Order[] = [
    ...everyFault.map((_, place): Order => ({ kind: "fault", place })),
    ...correctTargets.map((_, place): Order => ({ kind: "correct", place })),
  ];
  const proof: { kills: Kill[]; acquittals: Acquittal[] } = { kills: [], acquittals: [] };
  await Promise.all(Array.from({ length: threads }, () => workOff(orders, proof)));
  return proof;
}

/** Starts a thread, and gives it orders until there are none. */
function workOff(orders: Order[], { kills, acquittals }: { kills: Kill[]; acquittals: Acquittal[] }): Promise<void> {
  const thread = new Worker(new URL("thread.ts", import.meta.url), {
    execArgv: ["--conditions=@cloud-browser/source"],
  });
  return new Promise((resolve, reject) => {
    let open = 0;
    const next = (): void => {
      const order = orders.shift();
      if (order) {
        open += 1;
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
        thread.postMessage(order);
      } else if (open === 0) void thread.terminate().then(() => resolve());
    };
    thread.on("message", ({ order, kill, acquittal }: Told) => {
      open -= 1;
      if (kill) kills[order.place] = kill;
      if (acquittal) acquittals[order.place] = acquittal;
      next();
    });
    thread.on("error", reject);
    for (let lane = 0; lane < lanes; lane += 1) next();
  });
}
