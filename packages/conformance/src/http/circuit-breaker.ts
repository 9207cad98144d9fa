import type { Exchange } from "./exchange.ts";
import type { Operation } from "../contract/contract.ts";

/** Requests of one operation, one after the other, that got no whole answer in time, before the others are left out. */
const mostInRow = 3;

/**
 * Keeps a run from waiting hundreds of times for a target that does not answer: once three requests of an operation, one
 * after the other, ran into the limit of time, or found no connection in any attempt, the others of that operation are not sent.
 */
export class CircuitBreaker {
  readonly #inRow = new Map<Operation, number>();

  /** Returns the reason why no further request of an operation is sent; undefined when one may be. */
  refusal(operation: Operation): string | undefined {
    if ((this.#inRow.get(operation) ?? 0) < mostInRow) return undefined;
    return `${mostInRow} consecutive requests of this operation got no complete response in time (--timeout); no more are sent.`;
  }

  /** Takes down how an exchange ended. */
  record({ operation, response, failure }: Exchange, answered: boolean): void {
    const unheard = !answered && (failure?.code === "reset" || failure?.code === "unreachable");
    const silent = unheard || failure?.code === "timeout" || response?.end === "timeout";
    this.#inRow.set(operation, silent ? (this.#inRow.get(operation) ?? 0) + 1 : 0);
  }
}
