/** A service that breaks one sentence, always or in some circumstances. */
import type { Circumstance, Moment } from "./circumstances.ts";
import type { AnswerFault, Fault } from "./fault.ts";
import { findSubject, type Answer, type ReceivedRequest, type Subject } from "./messages.ts";
import { answerRequest, correctService, type Parts, type Service } from "./service.ts";

/** A request with the answer of a service that is correct, and what was before it. */
export interface Step extends Pick<Moment, "runs" | "afterRefusal"> {
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
  with(request: ReceivedRequest, answer: Answer): Step {
    const subject = findSubject(answer, request);
    const step = { request, answer, subject, runs: this.#runs, afterRefusal: this.#afterRefusal };
    if (subject === "run") this.#runs += 1;
    this.#afterRefusal = answer.status >= 400;
    return step;
  }
}

/** Returns whether a fault is about a response. */
const applies = (fault: Fault, { subject, request, answer }: Step): boolean =>
  subject !== undefined && subject === fault.subject && (fault.fits?.(request, answer) ?? true);

/** What a server knows at a request. */
const makeMoment = ({ request, runs, afterRefusal }: Step, time: number, times: number): Moment => ({
  time,
  times,
  runs,
  afterRefusal,
  underWay: request.underWay,
});

/** Counts how often a fault could show in a run with a correct service, and how often it does so in a circumstance. */
export function countShowings(
  fault: AnswerFault,
  circumstance: Circumstance,
  run: readonly Step[],
): { readonly times: number; readonly showings: number } {
  const apt = run.filter((step) => applies(fault, step));
  const hits = apt.filter((one, at) => circumstance.holds(one.request, makeMoment(one, at + 1, apt.length)));
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
 * @param circumstance - Circumstance in which it shows the fault, beside those of the fault. Default: always.
 * @param times - How often a run asks for what the sentence is about.
 */
export function makeFaultyService(fault: Fault, circumstance?: Circumstance, times = 0): FaultyService {
  const { parts, change, circumstances = [] } = fault;
  const base = { ...correctService, ...circumstance?.parts, ...(typeof parts === "function" ? parts() : parts) };
  if (!change) return { service: base, showings: () => 0 };
  const all = circumstance ? [...circumstances, circumstance] : circumstances;
  const history = new History();
  let time = 0;
  let count = 0;
  const breakAnswer = (answer: Answer, request: ReceivedRequest): Answer => {
    const step = history.with(request, answer);
    if (!applies(fault, step)) return answer;
    time += 1;
    const moment = makeMoment(step, time, times);
    if (!all.every(({ holds }) => holds(request, moment))) return answer;
    count += 1;
    return change(answer, request);
  };
  const service: Service = {
    ...base,
    revises: (answer, request) => base.revises(breakAnswer(answer, request), request),
  };
  return { service, showings: () => count };
}

/** A correct service that takes down what it is asked. */
export function makeAttentiveService(requests: ReceivedRequest[]): Service {
  return {
    ...correctService,
    revises: (answer, request) => {
      requests.push(request);
      return answer;
    },
  };
}

/** Returns the responses of a service with other parts to the requests of a run; requests do not depend on correct responses. */
export function answerAll(parts: Parts, requests: readonly ReceivedRequest[]): Step[] {
  const history = new History();
  const service: Service = { ...correctService, ...parts, revises: (answer) => answer };
  return requests.map((request) => history.with(request, answerRequest(service, request)));
}
