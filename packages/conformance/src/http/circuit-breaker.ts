import type { Exchange } from "./exchange.ts";
import type { Operation } from "../contract/contract.ts";

/** Number of consecutive failed requests of an operation after which the circuit opens. */
const mostInRow = 3;

/**
 * Stops sending requests of an operation after three consecutive ones timed out or found no connection, so that a run does not
 * wait for an unresponsive target hundreds of times.
 */
export class CircuitBreaker {
  readonly #inRow = new Map<Operation, number>();

  /** Returns the reason why no further request of an operation is sent; undefined when one may be. */
  refusal(operation: Operation): string | undefined {
    if ((this.#inRow.get(operation) ?? 0) < mostInRow) return undefined;
    return `${mostInRow} consecutive requests of this operation got no complete response in time (--timeout); no more are sent.`;
  }

  /** Records the result of an exchange. */
  record({ operation, response, failure }: Exchange, answered: boolean): void {
    const unheard = !answered && (failure?.code === "reset" || failure?.code === "unreachable");
    const silent = unheard || failure?.code === "timeout" || response?.end === "timeout";
    this.#inRow.set(operation, silent ? (this.#inRow.get(operation) ?? 0) + 1 : 0);
  }
}
