import type { Page } from "playwright-core";
import { AutomationError, StepError } from "../automation-error.ts";
import { describeRefusal } from "../page/person.ts";
import type { Workplace } from "../task/work.ts";
import { findCredential, isBeforeContent, type Credential } from "./wanted-credential.ts";

const words: Readonly<Record<Credential, string>> = {
  login: "it wants a login that the task does not give",
  code: "it wants a code that is valid once",
};

const fieldNames: Readonly<Record<Credential, RegExp>> = {
  login: /passw|kennwort|passphrase|mot de passe|contraseña|\bpin\b/iu,
  code: /code|\botp\b|token|\btan\b|código/iu,
};

/** Returns whether a field of that name takes a credential. */
export function isFieldFor(credential: Credential, name: string): boolean {
  return fieldNames[credential].test(name);
}

/** An act on a page. */
export interface HelpedAct<Result> {
  /** True when it only reads the page: reading a log-in in place of content would not fail. */
  readonly reads: boolean;
  /** Performs it. Calls back before anything is done on the page. */
  readonly perform: (onAction: () => void) => Promise<Result>;
  /** Describes it for a person who has to complete it, with the reason why it failed. */
  readonly describe: (error: unknown) => string;
}

/**
 * Asks a person when a page requires a login or a code that the task does not give. Does nothing if nobody can be asked.
 */
export class CredentialRequests {
  readonly #gives: (credential: Credential) => boolean;
  readonly #workplace: Workplace;
  /** Completed requests, as sentences. */
  readonly notes: string[] = [];

  /** @param gives - Returns whether the task gives what a page wants. */
  constructor(gives: (credential: Credential) => boolean, workplace: Workplace) {
    this.#gives = gives;
    this.#workplace = workplace;
  }

  /**
   * Performs an act; asks a person once if the page requires a login or a code. After that the act is performed again, unless it had acted:
   * then the person has completed it.
   *
   * @returns Its result; undefined when a person has completed it.
   * @throws {AutomationError} The error of the act; `step_failed` when nobody does what is asked.
   */
  async performWithHelp<Result>({ reads, perform, describe }: HelpedAct<Result>): Promise<Result | undefined> {
    const { activePage, signal } = this.#workplace;
    // What is done is for the page as a person has left it.
    await this.#workplace.untilMayAct?.();
    if (reads && activePage.current) await this.#askBeforeReading(activePage.current);
    let hasActed = false;
    const noteAction = (): void => {
      hasActed = true;
      this.#workplace.onAction();
    };
    try {
      return await perform(noteAction);
    } catch (error) {
      signal.throwIfAborted();
      const what = hasActed ? describe(error) : undefined;
      if (!(await this.#askAfterFailure(activePage.current, error, what))) throw error;
      if (what !== undefined) return undefined;
    }
    return perform(noteAction);
  }

  /** Asks before a page is read that shows a login or a code field instead of its content. */
  async #askBeforeReading(page: Page): Promise<void> {
    if (!this.#workplace.askPerson) return;
    const credential = await this.#findCredential(page);
    if (credential === undefined || !(await isBeforeContent(page))) return;
    const answer = await this.#ask(page, credential, undefined);
    if (answer !== undefined)
      throw new StepError(`nothing was read of ${getHost(page)}: ${words[credential]}, and ${answer}`);
  }

  /**
   * Asks after a step failed on a page that requires a credential.
   *
   * @param what - The step that failed after it had acted, and the reason: the person has to complete it. Undefined if it had not acted:
   * it is tried again.
   * @returns True when a person has done it.
   */
  async #askAfterFailure(page: Page | undefined, error: unknown, what: string | undefined): Promise<boolean> {
    if (!this.#workplace.askPerson || !page || !(error instanceof AutomationError) || error.code !== "step_failed")
      return false;
    const credential = await this.#findCredential(page);
    if (credential === undefined) return false;
    const answer = await this.#ask(page, credential, what);
    if (answer === undefined) return true;
    throw new StepError(`${error.message}; ${words[credential]}, and ${answer}`, { cause: error });
  }

  async #findCredential(page: Page): Promise<Credential | undefined> {
    const credential = await findCredential(page).catch(() => undefined);
    return credential !== undefined && this.#gives(credential) ? undefined : credential;
  }

  /** Returns undefined when a person has done it; otherwise why not. */
  async #ask(page: Page, credential: Credential, what: string | undefined): Promise<string | undefined> {
    const act = credential === "login" ? "Log in" : "Enter the code";
    const failure = what === undefined ? "" : ` This step was begun and did not succeed, so complete it, too: ${what}.`;
    const message = `${act} on ${getHost(page)}: ${words[credential]}.${failure} Answer "done" when the page shows what comes after it; the automation goes on from there.`;
    const answer = await this.#workplace.askPerson?.(message.slice(0, 2_000));
    if (answer?.answer !== "done") return answer ? describeRefusal(answer) : "nobody can be asked";
    this.notes.push(
      `A person was asked on ${getHost(page)}: ${words[credential]}. The function does not repeat what the person did.`,
    );
    return undefined;
  }
}

/** Returns the host of a page's address: its path and query may contain secrets. */
function getHost(page: Page): string {
  return URL.parse(page.url())?.host || "the page";
}
