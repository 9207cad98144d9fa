/** A server that breaks one sentence in one circumstance. */
import type { Answer, ReceivedRequest } from "../targets/messages.ts";
import { answerRequest, correctService, type Service } from "../targets/service.ts";
import { findSubject, type Breaker, type Subject } from "./breaker.ts";
import type { Circumstance, Seen } from "./circumstances.ts";

/** A request with the answer of a service that is correct, and what was before it. */
export interface Answered extends Pick<Seen, "runs" | "afterRefusal"> {
  readonly request: ReceivedRequest;
  /** Before it is put into its form. */
  readonly answer: Answer;
  readonly subject: Subject | undefined;
}

/** State of the requests before the current one. */
class History {
  #runs = 0;
  #afterRefusal = false;

  /** Takes a request down with its answer. */
  with(request: ReceivedRequest, answer: Answer): Answered {
    const subject = findSubject(answer, request);
    const answered = { request, answer, subject, runs: this.#runs, afterRefusal: this.#afterRefusal };
    if (subject === "run") this.#runs += 1;
    this.#afterRefusal = answer.status >= 400;
    return answered;
  }
}

/** Returns whether a breaker changes a response. */
const applies = (breaker: Breaker, { subject, request, answer }: Answered): boolean =>
  subject === breaker.subject && (breaker.fits?.(request, answer) ?? true);

/** Counts how often a breaker could show in a run with a correct service, and how often it does so in a circumstance. */
export function showings(
  breaker: Breaker,
  circumstance: Circumstance,
  run: readonly Answered[],
): { readonly times: number; readonly showings: number } {
  const apt = run.filter((answered) => applies(breaker, answered));
  const hits = apt.filter(({ request, runs, afterRefusal }, at) =>
    circumstance.holds(request, { runs, afterRefusal, underWay: request.underWay, time: at + 1, times: apt.length }),
  );
  return { times: apt.length, showings: hits.length };
}

/** A service that tells how often its fault has shown. */
export interface FaultyService {
  readonly service: Service;
  readonly showings: () => number;
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
  let count = 0;
  const broken = (answer: Answer, request: ReceivedRequest): Answer => {
    const answered = history.with(request, answer);
    if (!applies(breaker, answered)) return answer;
    time += 1;
    const { runs, afterRefusal } = answered;
    if (!circumstance.holds(request, { runs, afterRefusal, underWay: request.underWay, time, times })) return answer;
    count += 1;
    return breaker.breaks(answer, request);
  };
  const service: Service = { ...base, revises: (answer, request) => base.revises(broken(answer, request), request) };
  return { service, showings: () => count };
}

/** A correct service that takes down what it is asked. */
export function attentiveService(requests: ReceivedRequest[]): Service {
  return {
    ...correctService,
    revises: (answer, request) => {
      requests.push(request);
      return answer;
    },
  };
}

/** Returns the responses of a service with other parts to the requests of a run; requests do not depend on correct responses. */
export function answeredBy(parts: Partial<Service>, requests: readonly ReceivedRequest[]): Answered[] {
  const history = new History();
  const service: Service = { ...correctService, ...parts, revises: (answer) => answer };
  return requests.map((request) => history.with(request, answerRequest(service, request)));
}
