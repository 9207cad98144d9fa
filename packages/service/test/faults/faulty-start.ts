import { expect } from "vitest";
import { key, type Command, type Place } from "../command-line.ts";
import type { Fault } from "./fault.ts";
import { faultyFromStart } from "./faulty-service.ts";
import { endedBy, notLines } from "./life.ts";

/** Resolves with the address of a service that is up; undefined when it has ended. */
function upOrEnded({ process: child, stdout, ended }: Command): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.stdout?.on("data", () => {
    const [, url] = /Sessions\s+(\S+)\n/u.exec(stdout()) ?? [];
    if (url !== undefined) resolve(url);
  });
  void ended.then(() => resolve(undefined));
  return promise;
}

/** How a start with a fault went on. */
export interface Outcome {
  /** Why it has not started, in the words of the service; undefined when it has. */
  readonly refusal: string | undefined;
  /** The code that the process ended with, by itself or by a signal when it was there. */
  readonly code: unknown;
  /** Status of a request for a session; undefined when nobody could ask. */
  readonly session: number | undefined;
  /** What was written to standard error and is neither that nor a line of the log. */
  readonly notLines: readonly string[];
}

/** Starts with a fault, asks for a session, and stops it. */
export async function startWith(
  place: Place,
  fault: Fault,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const command = place.serve(args, { ...env, ...faultyFromStart(fault) });
  const url = await upOrEnded(command);
  if (url === undefined) {
    const { code, stderr } = await command.ended;
    const [refusal, ...more] = notLines(stderr);
    return { refusal, code, session: undefined, notLines: more };
  }
  const headers = { authorization: `Bearer ${key}` };
  const session = await fetch(`${url}/control/sessions`, { method: "POST", headers, body: "{}" });
  const code = await endedBy(command.process);
  return { refusal: undefined, code, session: session.status, notLines: notLines(command.stderr()) };
}

/** It says in a sentence why it can't start, or it is there and ends in order. */
export const honest = (outcome: Outcome): unknown =>
  outcome.session === undefined
    ? {
        refusal: expect.stringMatching(/^cloud-browser: (?!internal error)\S.{20,}/u),
        code: expect.toBeOneOf([2, 3]),
        session: undefined,
        notLines: [],
      }
    : { refusal: undefined, code: 0, session: expect.toBeOneOf([201, 503]), notLines: [] };
