/** A server that breaks one sentence in one circumstance. */
import type { Answer, Asked } from "../targets/asked.ts";
import { answerRequest, correctService, type Service } from "../targets/service.ts";
import { findSubject, type Breaker, type Subject } from "./breaker.ts";
import type { Circumstance, Seen } from "./circumstances.ts";

/** A request with the answer of a service that is correct, and what was before it. */
export interface Answered extends Pick<Seen, "runs" | "afterRefusal"> {
  readonly asked: Asked;
  /** Before it is put into its form. */
  readonly answer: Answer;
  readonly subject: Subject | undefined;
}

/** State of the requests before the current one. */
class History {
  #runs = 0;
  #afterRefusal = false;

  /** Takes a request down with its answer. */
  with(asked: Asked, answer: Answer): Answered {
    const subject = findSubject(answer, asked);
    const answered = { asked, answer, subject, runs: this.#runs, afterRefusal: this.#afterRefusal };
    if (subject === "run") this.#runs += 1;
    this.#afterRefusal = answer.status >= 400;
    return answered;
  }
}

/** Tells whether a breaker changes a response. */
const applies = (breaker: Breaker, { subject, asked, answer }: Answered): boolean =>
  subject === breaker.subject && (breaker.fits?.(asked, answer) ?? true);

/** Counts how often a breaker could show in a run with a correct service, and how often it does so in a circumstance. */
export function showings(
  breaker: Breaker,
  circumstance: Circumstance,
  run: readonly Answered[],
): { readonly times: number; readonly shown: number } {
  const apt = run.filter((answered) => applies(breaker, answered));
  const shown = apt.filter(({ asked, runs, afterRefusal }, at) =>
    circumstance.holds(asked, { runs, afterRefusal, underWay: asked.underWay, time: at + 1, times: apt.length }),
  );
  return { times: apt.length, shown: shown.length };
}

/** A service that tells how often its fault has shown. */
export interface FaultyService {
  readonly service: Service;
  readonly shown: () => number;
}

/**
 * Makes the service.
 *
 * @param times - How often a run asks for what the sentence is about.
 */
export function faultyService(breaker: Breaker, circumstance: Circumstance, times: number): FaultyService {
  const base: Service = { ...correctService, ...circumstance.parts, ...breaker.parts };
  const history = new History();
  let time = 0;
  let shown = 0;
  const broken = (answer: Answer, asked: Asked): Answer => {
    const answered = history.with(asked, answer);
    if (!applies(breaker, answered)) return answer;
    time += 1;
    const { runs, afterRefusal } = answered;
    if (!circumstance.holds(asked, { runs, afterRefusal, underWay: asked.underWay, time, times })) return answer;
    shown += 1;
    return breaker.breaks(answer, asked);
  };
  const service: Service = { ...base, revises: (answer, asked) => base.revises(broken(answer, asked), asked) };
  return { service, shown: () => shown };
}

/** A correct service that takes down what it is asked. */
export function attentiveService(requests: Asked[]): Service {
  return {
    ...correctService,
    revises: (answer, asked) => {
      requests.push(asked);
      return answer;
    },
  };
}

/** Returns the responses of a service with other parts to the requests of a run; requests do not depend on correct responses. */
export function answeredBy(parts: Partial<Service>, requests: readonly Asked[]): Answered[] {
  const history = new History();
  const service: Service = { ...correctService, ...parts, revises: (given) => given };
  return requests.map((asked) => history.with(asked, answerRequest(service, asked)));
}
