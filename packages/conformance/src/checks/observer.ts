import type { Exchange } from "../http/exchange.ts";

/** An observed value of something that the interface leaves open. */
export interface ObservedValue {
  /** The exchange that shows it. */
  readonly exchange: Exchange;
  /** The recorded value, in words; secrets are redacted later. */
  readonly value: string;
}

/** Records behaviour for one row of the second list of `requirements.yaml`. Never judges. */
export interface Observer {
  /** Id of the row. */
  readonly id: string;
  /** Returns the values that the exchanges of a run show; an empty array when they show none. */
  readonly see: (exchanges: readonly Exchange[]) => readonly ObservedValue[];
}

/** Observes each exchange by itself, whatever its probe. */
export function observeEach(id: string, see: (exchange: Exchange) => readonly string[]): Observer {
  return {
    id,
    see: (exchanges) => exchanges.flatMap((exchange) => see(exchange).map((value) => ({ exchange, value }))),
  };
}

/** Observes the exchanges of some probes. */
export function observeProbes(
  id: string,
  probes: readonly string[],
  see: (exchange: Exchange) => readonly string[],
): Observer {
  return observeEach(id, (exchange) => (probes.includes(exchange.id) ? see(exchange) : []));
}

/** Compares the answers to two requests, when both came. */
export function observePair(
  id: string,
  [first, second]: readonly [first: string, second: string],
  see: (one: Exchange, other: Exchange) => readonly string[],
): Observer {
  return {
    id,
    see: (exchanges) => {
      const one = exchanges.find((exchange) => exchange.id === first);
      const other = exchanges.find((exchange) => exchange.id === second);
      return one && other ? see(one, other).map((value) => ({ exchange: other, value })) : [];
    },
  };
}
