/*! With code of @cloud-browser/client and of @cfworker/json-schema 4.1.6 (MIT, Copyright (c) 2020 Jeremy Danyow): see THIRD-PARTY-LICENSES.txt */
import { CheckBudget, run } from "./budget.ts";
import { compileSchema } from "./compile-schema.ts";
import { checkNode, type SchemaFault } from "./check-node.ts";
import type { Issue, JsonSchema, Verdict } from "./schema.ts";

/** Longest time for which a check may block timers and aborts, in milliseconds. (`event-loop.ts` would become a chunk of its own.) */
const maxBlockingMs = 40;
/** Number of issues that are listed. */
const maxIssues = 100;
/** Number of steps of their paths together after which no more are listed: data can be nested as deeply as they are long. */
const maxSteps = 100_000;

/**
 * Creates a check of data against a JSON Schema, of the draft that `$schema` names; by default of draft 2020-12.
 *
 * The check takes time that is at most proportional to the product of the sizes of schema and data, and at most some seconds of a
 * processor; it yields to timers and aborts, and ends when the signal aborts.
 *
 * @throws {Error} `unusableFormat` when the schema is invalid, or has keywords that can't be checked, or not in bounded time.
 */
export function checkFrom(schema: JsonSchema): (value: unknown, signal?: AbortSignal) => Promise<Verdict<unknown>> {
  const compiled = compileSchema(schema);
  return async (value, signal) => {
    const checking = run(checkNode(compiled, value, new CheckBudget()));
    for (let pausedAt = performance.now(); ;) {
      const { done, value: failures } = checking.next();
      if (done) return failures.length === 0 ? { value } : { issues: listIssues(failures) };
      if (performance.now() < pausedAt + maxBlockingMs) continue;
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
      pausedAt = performance.now();
    }
  };
}

/** A failure, with the way to it. */
interface Place {
  readonly failure: SchemaFault;
  readonly above?: Place | undefined;
}

function listIssues(failures: readonly SchemaFault[]): readonly Issue[] {
  const issues: Issue[] = [];
  const left: Place[] = failures.map((failure) => ({ failure })).toReversed();
  let steps = 0;
  for (let place: Place | undefined; issues.length < maxIssues && steps < maxSteps && (place = left.pop());) {
    const { message, inner = [] } = place.failure;
    if (message !== undefined) {
      const path = pathTo(place);
      steps += path.length;
      issues.push({ message, path });
    }
    for (let at = inner.length - 1; at >= 0; at--) {
      const failure = inner[at];
      if (failure) left.push({ failure, above: place });
    }
  }
  return issues;
}

function pathTo(place: Place): readonly PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at: Place | undefined = place; at; at = at.above) {
    if (at.failure.step !== undefined) path.push(at.failure.step);
  }
  return path.toReversed();
}
