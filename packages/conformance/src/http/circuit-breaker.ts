import type { Exchange } from "./exchange.ts";
import type { Operation } from "../contract/contract.ts";

/** Number of consecutive failed requests of an operation after which the circuit opens. */
const failureThreshold = 3;

/** Stops sending requests of an operation after three consecutive ones timed out or found no connection. */
export class CircuitBreaker {
  readonly #consecutiveFailures = new Map<Operation, number>();

  /** Returns the reason why no further request of an operation is sent; undefined when one may be. */
  refusal(operation: Operation): string | undefined {
    if ((this.#consecutiveFailures.get(operation) ?? 0) < failureThreshold) return undefined;
    return `${failureThreshold} consecutive requests of this operation got no complete response in time (--timeout); no more are sent.`;
  }

  /** Records the result of an exchange. */
  record({ operation, response, failure }: Exchange, isAnswered: boolean): void {
    const isConnectionFailure = !isAnswered && (failure?.code === "reset" || failure?.code === "unreachable");
    const isFailure = isConnectionFailure || failure?.code === "timeout" || response?.end === "timeout";
    this.#consecutiveFailures.set(operation, isFailure ? (this.#consecutiveFailures.get(operation) ?? 0) + 1 : 0);
  }
}
