/** Judges all targets, on two threads of this process. */
import { Worker } from "node:worker_threads";
import { theProduct } from "../kills/product.ts";
import type { Verdict } from "../kills/verdict.ts";
import { correctTargets, everyFault, type Acquittal } from "./proofs.ts";
import type { Order, JobResult } from "./thread.ts";

/** The self-test is meant for two cores. */
const threads = 2;
/** Runs under way at the same time in each: enough to fill the pauses of the others. */
const concurrency = 3;

/** Of the product, one fault of so many is judged on a socket, too: both verdicts have to be the same. */
const socketEvery = 40;

/** Results of all runs, in the order of the tables. */
export interface Proof {
  /** Of each faulty target. */
  readonly kills: Verdict[];
  readonly acquittals: Acquittal[];
  /** Of each fault of the product. */
  readonly verdicts: Verdict[];
  /** Of some of them, on a socket; by their places. */
  readonly onSocket: Map<number, Verdict>;
}

const listOrders = (kind: Order["kind"], count: number, every = 1): Order[] =>
  Array.from({ length: Math.ceil(count / every) }, (_, at) => ({ kind, place: at * every }));

/**
 * Judges every target.
 *
 * @param tell - Called now and then with how far it has come.
 */
export async function proveAll(tell: (progress: string) => void): Promise<Proof> {
  const { faults } = await theProduct();
  const orders = [
    ...listOrders("socket", faults.length, socketEvery),
    ...listOrders("correct", correctTargets.length),
    ...listOrders("fault", everyFault.length),
    ...listOrders("product", faults.length),
  ];
  const all = orders.length;
  const proof: Proof = { kills: [], acquittals: [], verdicts: [], onSocket: new Map() };
  const next = (): Order | undefined => {
    if (orders.length % 250 === 0) tell(`${all - orders.length} of ${all} servers are being judged or have been`);
    return orders.shift();
  };
  await Promise.all(Array.from({ length: threads }, () => workOff(next, proof)));
  return proof;
}

/** Starts a thread, and gives it orders until there are none. */
function workOff(take: () => Order | undefined, proof: Proof): Promise<void> {
  const thread = new Worker(new URL("thread.ts", import.meta.url), {
    execArgv: ["--conditions=@cloud-browser/source"],
  });
  return new Promise((resolve, reject) => {
    let open = 0;
    const next = (): void => {
      const order = take();
      if (order) {
        open += 1;
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
        thread.postMessage(order);
      } else if (open === 0) void thread.terminate().then(() => resolve());
    };
    thread.on("message", (result: JobResult) => {
      open -= 1;
      takeDown(result, proof);
      next();
    });
    thread.on("error", reject);
    for (let started = 0; started < concurrency; started += 1) next();
  });
}

function takeDown({ order: { kind, place }, acquittal, verdict }: JobResult, proof: Proof): void {
  if (acquittal) proof.acquittals[place] = acquittal;
  else if (verdict && kind === "socket") proof.onSocket.set(place, verdict);
  else if (verdict) (kind === "fault" ? proof.kills : proof.verdicts)[place] = verdict;
}
