import type { Page } from "playwright-core";
import { StepError, makeReferenceError } from "../automation-error.ts";
import { walkNodes, readTree } from "./accessibility-tree.ts";
import { readPasswords } from "./passwords.ts";
import { writeSnapshot } from "./snapshot-text.ts";
import { awaitWithin } from "../async.ts";

/** Options of a page description. */
export interface DescribeOptions {
  /** Most characters of the snapshot. Default: 20,000. */
  readonly maxCharacters?: number;
  /** Reference of the element to describe, with its descendants. Default: the page. */
  readonly scope?: string;
  /** Number of levels. Default: the most that fit into `maxCharacters`. */
  readonly depth?: number;
  /** Aborts it. */
  readonly signal?: AbortSignal;
}

/** Description of a page, for a model or the planner. */
export interface PageDescription {
  /** Address of the page. */
  readonly url: string;
  /** Its title. */
  readonly title: string;
  /** The accessibility snapshot, as YAML, with references (`[ref=e2]`) for `recordTargetByRef`. */
  readonly snapshot: string;
  /** Sentence that says what was omitted; undefined if it is complete. */
  readonly cut: string | undefined;
}

/**
 * Describes what a page shows now. Values of password fields are omitted.
 *
 * @throws {AutomationError} `step_failed` if the page does not respond, or has no such element.
 */
export async function describePage(page: Page, options: DescribeOptions = {}): Promise<PageDescription> {
  const { maxCharacters = 20_000, scope, depth, signal } = options;
  signal?.throwIfAborted();
  const tree = await readTree(page, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new StepError("the page does not respond; open it again, or go to another one", {
      cause: error,
    });
  });
  const part =
    scope === undefined ? tree : [...walkNodes(tree)].filter(({ node }) => node.ref === scope).map(({ node }) => node);
  if (scope !== undefined && part.length === 0) {
    throw makeReferenceError(scope);
  }
  const { text, leftOut } = writeSnapshot(part, { maxCharacters, depth, hidden: await readPasswords(page) });
  return {
    url: page.url(),
    title: (await awaitWithin(2000, page.title())) ?? "",
    snapshot: text,
    cut:
      leftOut === 0
        ? undefined
        : `${leftOut} lines were omitted; describe an element by its reference to see its content.`,
  };
}
