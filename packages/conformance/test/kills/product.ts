/** The product of sentences and circumstances: one server for each sentence in each circumstance in which a run shows it. */
import type { AnswerFault } from "../targets/fault.ts";
import { answerAll, countShowings, makeAttentiveService, type Step } from "../targets/faulty-service.ts";
import type { ReceivedRequest, Subject } from "../targets/messages.ts";
import type { Parts } from "../targets/service.ts";
import { breakers } from "./breakers.ts";
import { circumstances, type NamedCircumstance } from "./circumstances.ts";
import { tryService } from "./trial.ts";

/** A sentence that is broken in one circumstance. */
export interface ProductFault {
  readonly breaker: AnswerFault;
  readonly circumstance: NamedCircumstance;
  /** Number of requests in a run that the requirement is about. */
  readonly times: number;
}

/** A circumstance that no request of a run is in. */
export interface Unmade {
  readonly subject: Subject;
  readonly circumstance: NamedCircumstance;
}

/** The product, and what is not in it. */
export interface Product {
  readonly faults: readonly ProductFault[];
  readonly unmade: readonly Unmade[];
}

/** The requests of a run. */
async function collectRequests(maxRuns: number): Promise<readonly ReceivedRequest[]> {
  const requests: ReceivedRequest[] = [];
  await tryService(makeAttentiveService(requests), { maxRuns });
  return requests;
}

/** Runs with services that are correct. */
class Runs {
  readonly #requests = new Map<number, Promise<readonly ReceivedRequest[]>>();
  readonly #runs = new Map<string, Promise<readonly Step[]>>();
  readonly #numbers = new Map<unknown, number>();

  /** The run with a service that has the parts of both. */
  with({ parts }: AnswerFault, circumstance: NamedCircumstance): Promise<readonly Step[]> {
    const { maxRuns = 1 } = circumstance;
    const key = JSON.stringify([this.#assignNumber(parts), this.#assignNumber(circumstance.parts), maxRuns]);
    const requests = this.#requests.get(maxRuns) ?? collectRequests(maxRuns);
    const run = this.#runs.get(key) ?? requests.then((all) => answerAll({ ...circumstance.parts, ...parts }, all));
    this.#requests.set(maxRuns, requests);
    this.#runs.set(key, run);
    return run;
  }

  #assignNumber(parts: Parts | undefined): number {
    const number = this.#numbers.get(parts) ?? this.#numbers.size;
    this.#numbers.set(parts, number);
    return number;
  }
}

/** The list, begun at another place. */
const rotate = <T>(list: readonly T[], by: number): T[] => {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
};

/** Returns whether two services change the same part, each in its own way. */
const clash = (one: Parts = {}, other: Parts = {}): boolean =>
  Object.keys(one).some((name) => Object.hasOwn(other, name));

/** The ways of one sentence that show in a circumstance: all of them always, and one, taken in turn, otherwise. */
async function shownIn(
  ways: readonly AnswerFault[],
  circumstance: NamedCircumstance,
  turn: number,
  runs: Runs,
): Promise<ProductFault[]> {
  const isAlways = circumstance.id === "always";
  const faults: ProductFault[] = [];
  for (const breaker of isAlways ? ways : rotate(ways, turn)) {
    if (clash(breaker.parts, circumstance.parts)) continue;
    const { times, showings } = countShowings(breaker, circumstance, await runs.with(breaker, circumstance));
    if (showings === 0) continue;
    faults.push({ breaker, circumstance, times });
    if (!isAlways) break;
  }
  return faults;
}

/** The ways to break each sentence, by the subject whose answers break it. */
export const sentences: readonly (readonly AnswerFault[])[] = [
  ...Map.groupBy(breakers, ({ requirement, subject }) => `${requirement} ${subject}`).values(),
];

/** Makes the product of some sentences. */
export async function makeProduct(some: readonly (readonly AnswerFault[])[]): Promise<Product> {
  const runs = new Runs();
  const faults: ProductFault[] = [];
  for (const ways of some) {
    for (const [turn, circumstance] of circumstances.entries()) {
      if (!circumstance.subjects.some((subject) => subject === ways[0]?.subject)) continue;
      faults.push(...(await shownIn(ways, circumstance, turn, runs)));
    }
  }
  const pairs = new Set(faults.map(({ breaker, circumstance }) => `${circumstance.id} ${breaker.subject}`));
  const unmade = circumstances.flatMap((circumstance) =>
    circumstance.subjects
      .filter((subject) => !pairs.has(`${circumstance.id} ${subject}`))
      .map((subject) => ({ subject, circumstance })),
  );
  return { faults, unmade };
}

let cache: Promise<Product> | undefined;

/** The product, made once in a thread. */
export const theProduct = (): Promise<Product> => (cache ??= makeProduct(sentences));
