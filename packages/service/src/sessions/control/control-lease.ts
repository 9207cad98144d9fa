import { randomBytes } from "node:crypto";
import type { ActingCommand } from "@cloud-browser/browsers";
import type { Clock } from "@cloud-browser/recorder";
import type { SteeringChange } from "./steering-events.ts";
import { WaitingCommands } from "./waiting-commands.ts";

/** Who steers a session, and what waits for it. */
export interface ControlState {
  /** The program (clients of CDP, and a run), or a person at a live socket. */
  readonly holder: "program" | "person";
  /** Since when, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** False while the person who has it is disconnected. */
  readonly isConnected: boolean;
  /** Until when a person who is disconnected keeps it, in milliseconds since 1970; null otherwise. */
  readonly graceUntilMs: number | null;
  /** True when commands that run scripts in pages wait, too. */
  readonly evaluation: boolean;
  /** How many commands wait. */
  readonly waitingCommands: number;
  /** Task that a person is asked to do; null for none. */
  readonly request: OpenHandover | null;
}

/** An open request for a person. */
export interface OpenHandover {
  /** Its id. */
  readonly id: string;
  /** Task of the person. */
  readonly message: string;
  /** Its deadline, in milliseconds since 1970. */
  readonly expiresMs: number;
}

/** Parts of a lease. */
export interface ControlLeaseParts {
  /** Clock. */
  readonly clock: Clock;
  /** How long a person who is disconnected keeps the control, in milliseconds. */
  readonly graceMs: number;
  /** Called with each change. */
  readonly onChange: (change: SteeringChange) => void;
}

/** Reason why a person did not get the control. */
export type TakeFault = "taken" | "void";

/** Control that a person has taken. */
interface Hold {
  /** Secret by which the person is recognized after a lost connection. */
  readonly lease: string;
  readonly evaluation: boolean;
  readonly sinceMs: number;
  /** The socket; undefined while there is none. */
  person: object | undefined;
  graceUntilMs: number | null;
  cancelGrace: () => void;
}

/**
 * The control of one session: one at a time steers, the program or a person. It belongs to the session, not to a socket: a person who is
 * disconnected keeps it for a grace time. While a person has it, commands of clients that act wait, and a run waits before its next step.
 */
export class ControlLease {
  readonly #parts: ControlLeaseParts;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new WaitingCommands(() => this.#tell());
  #hold: Hold | undefined;
  #programSinceMs: number;
  #request: OpenHandover | null = null;
  #return = Promise.withResolvers<void>();

  constructor(parts: ControlLeaseParts) {
    this.#parts = parts;
    this.#programSinceMs = parts.clock.now();
  }

  /** How it is now. */
  get state(): ControlState {
    const hold = this.#hold;
    return {
      holder: hold ? "person" : "program",
      sinceMs: hold?.sinceMs ?? this.#programSinceMs,
      isConnected: hold === undefined || hold.person !== undefined,
      graceUntilMs: hold?.graceUntilMs ?? null,
      evaluation: hold?.evaluation ?? false,
      waitingCommands: this.#waiting.count,
      request: this.#request,
    };
  }

  /** True while a person has it. */
  get isHeld(): boolean {
    return this.#hold !== undefined;
  }

  /** Calls back when the state has changed. Returns a function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns whether a person has it, by the socket. */
  isHeldBy(person: object): boolean {
    return this.#hold?.person === person;
  }

  /**
   * A person takes it.
   *
   * @param evaluation - True to have commands that run scripts in pages wait, too.
   * @param force - True to take it from another person. Default: false.
   * @returns The secret by which the person may resume it, or `taken` when another person has it.
   */
  take(person: object, evaluation: boolean, force = false): { readonly lease: string } | TakeFault {
    const before = this.#hold;
    if (before && before.person !== person && !force) return "taken";
    before?.cancelGrace();
    const lease = before?.person === person ? before.lease : randomBytes(18).toString("base64url");
    const sinceMs = this.#parts.clock.now();
    this.#hold = { lease, evaluation, sinceMs, person, graceUntilMs: null, cancelGrace: () => {} };
    this.#tell({ kind: "taken", evaluation });
    return { lease };
  }

  /** A person who had it is there again. Returns `void` when it was given back meanwhile, or was taken by somebody else. */
  resume(person: object, lease: string): { readonly lease: string } | TakeFault {
    const hold = this.#hold;
    if (!hold || hold.lease !== lease) return "void";
    hold.cancelGrace();
    hold.person = person;
    hold.graceUntilMs = null;
    this.#tell({ kind: "resumed" });
    return { lease };
  }

  /** A person gives it back. Returns false when the person does not have it. */
  release(person: object): boolean {
    if (!this.isHeldBy(person)) return false;
    this.giveBack("released");
    return true;
  }

  /**
   * A person has gone.
   *
   * @param mayReturn - True when the connection was lost: the grace time begins. False when the right to steer has ended.
   */
  leave(person: object, mayReturn: boolean): void {
    const hold = this.#hold;
    if (!hold || hold.person !== person) return;
    if (!mayReturn) return this.giveBack("right-ended");
    const { clock, graceMs } = this.#parts;
    hold.person = undefined;
    hold.graceUntilMs = clock.now() + graceMs;
    hold.cancelGrace = clock.at(hold.graceUntilMs, () => {
      if (this.#hold === hold && hold.person === undefined) this.giveBack("grace-over");
    });
    this.#tell({ kind: "disconnected" });
  }

  /** Gives it back to the program, whoever has it: what waits is executed, in order. */
  giveBack(why: Extract<SteeringChange, { kind: "given_back" }>["why"]): void {
    const hold = this.#hold;
    if (!hold) return;
    hold.cancelGrace();
    this.#hold = undefined;
    this.#programSinceMs = this.#parts.clock.now();
    this.#waiting.run();
    this.#tell({ kind: "given_back", why });
    this.#return.resolve();
    this.#return = Promise.withResolvers();
  }

  /** Resolves when the program has it: at once, or when it is given back. */
  async waitForReturn(): Promise<void> {
    while (this.#hold) await this.#return.promise;
  }

  /** Notes what a person is asked to do; null for nothing any more. */
  setRequest(request: OpenHandover | null): void {
    this.#request = request;
    this.#tell();
  }

  /** Executes a command of a client, or has it wait. Returns why it is refused, as the message of a CDP error; undefined when it is not. */
  pass(client: object, command: ActingCommand): string | undefined {
    const hold = this.#hold;
    if (hold && (command.act === "acts" || hold.evaluation)) return this.#waiting.add(client, command);
    command.run();
    return undefined;
  }

  /** A client has gone, and with it what waited. */
  forget(client: object): void {
    this.#waiting.forget(client);
  }

  /** Ends the grace time: the session has ended. */
  close(): void {
    this.#hold?.cancelGrace();
  }

  #tell(change?: SteeringChange): void {
    if (change) this.#parts.onChange(change);
    for (const listener of this.#listeners) listener();
  }
}
