import type { Actor } from "./timeline-event.ts";

/** How long after a cause something else counts as its effect, in milliseconds: after input and commands, and after scripts of a client. */
const effectMs = { act: 3_000, script: 500 } as const;

/** Commands of CDP that run scripts. A client asks with them all the time; few of them do anything. */
const scripts = /^Runtime\./;
const inputs = /^Input\./;

/** Somebody, and when, on the monotonic clock. */
interface Cause {
  readonly by: Actor;
  readonly ms: number;
}

const nobody: Cause = { by: "page", ms: -Infinity };

/** Knows who acted last: an act that a page sees does not say whose input it was. */
export class Actors {
  /** Who sent input last: only input causes trusted events. */
  #input: Cause = { by: "client", ms: -Infinity };
  #act: Cause = nobody;
  #script: Cause = nobody;

  /** Somebody acts: with input, or otherwise. */
  noteAct(by: Actor): void {
    this.#act = { by, ms: performance.now() };
    if (by !== "service") this.#input = this.#act;
  }

  /** A client sends a command that may change a page. @param method - As `Page.navigate`. */
  noteCommand(method: string): void {
    if (scripts.test(method)) this.#script = { by: "client", ms: performance.now() };
    else {
      this.#act = { by: "client", ms: performance.now() };
      if (inputs.test(method)) this.#input = this.#act;
    }
  }

  /** Returns who did what a page saw; `page` when it did that itself. @param trusted - False for an event that a script dispatched. */
  findActor(trusted: boolean): Actor {
    if (trusted) return this.#input.by;
    const { by, ms } = this.#script.ms > this.#act.ms || this.#act.by !== "run" ? this.#script : this.#act;
    return performance.now() - ms <= effectMs.script ? by : "page";
  }

  /** Returns who has caused what begins now; `page` when nobody acted just before. */
  findCause(): Actor {
    const now = performance.now();
    if (now - this.#act.ms <= effectMs.act) return this.#act.by;
    return now - this.#script.ms <= effectMs.script ? this.#script.by : "page";
  }
}
