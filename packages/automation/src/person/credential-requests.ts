import type { Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import { describeRefusal, type PersonAtWork } from "../page/person.ts";
import { findWantedCredential, isBeforeContent, type Credential } from "./wanted-credential.ts";

const words: Readonly<Record<Credential, string>> = {
  login: "it wants a login that the task does not give",
  code: "it wants a code that is valid once",
};

const fieldNames: Readonly<Record<Credential, RegExp>> = {
  login: /passw|kennwort|passphrase|mot de passe|contraseña|\bpin\b/iu,
  code: /code|\botp\b|token|\btan\b|código/iu,
};

/** Returns whether what is filled into a field of that name is what a page wants. */
export function isFieldFor(wanted: Credential, name: string): boolean {
  return fieldNames[wanted].test(name);
}

/**
 * Asks a person where a page wants a login or a code for which the task gives no value. Does nothing where nobody can be asked: it fails
 * then as it did.
 */
export class CredentialRequests {
  readonly #gives: (wanted: Credential) => boolean;
  readonly #person: PersonAtWork;
  /** What a person was asked for, and has done, as sentences. */
  readonly notes: string[] = [];

  /** @param gives - Returns whether the task gives what a page wants. */
  constructor(gives: (wanted: Credential) => boolean, person: PersonAtWork) {
    this.#gives = gives;
    this.#person = person;
  }

  /**
   * Asks before something is read of a page that stands before the one that is meant: nothing would fail, and the wrong page be read.
   *
   * @throws {AutomationError} `step_failed` when nobody does it.
   */
  async beforeReading(page: Page): Promise<void> {
    if (!this.#person.askPerson) return;
    const wanted = await this.#wantedBy(page);
    if (wanted === undefined || !(await isBeforeContent(page))) return;
    const answer = await this.#ask(page, wanted, undefined);
    if (answer !== undefined)
      throw new AutomationError("step_failed", `nothing was read of ${getHost(page)}: ${words[wanted]}, and ${answer}`);
  }

  /**
   * Asks after something has failed, when the page wants something.
   *
   * @param what - What has failed, and why, where a step of it was begun: the person has to complete it. Undefined where none was: it is tried again.
   * @returns Whether a person has done it.
   */
  async after(page: Page | undefined, error: unknown, what: string | undefined): Promise<boolean> {
    if (!this.#person.askPerson || !page || !(error instanceof AutomationError) || error.code !== "step_failed")
      return false;
    const wanted = await this.#wantedBy(page);
    if (wanted === undefined) return false;
    const answer = await this.#ask(page, wanted, what);
    if (answer === undefined) return true;
    throw new AutomationError("step_failed", `${error.message}; ${words[wanted]}, and ${answer}`, { cause: error });
  }

  async #wantedBy(page: Page): Promise<Credential | undefined> {
    const wanted = await findWantedCredential(page).catch(() => undefined);
    return wanted !== undefined && this.#gives(wanted) ? undefined : wanted;
  }

  /** Returns undefined when a person has done it; otherwise why not. */
  async #ask(page: Page, wanted: Credential, what: string | undefined): Promise<string | undefined> {
    const act = wanted === "login" ? "Log in" : "Enter the code";
    const failed = what === undefined ? "" : ` This step was begun and did not succeed, so complete it, too: ${what}.`;
    const message = `${act} on ${getHost(page)}: ${words[wanted]}.${failed} Answer "done" when the page shows what comes after it; the automation goes on from there.`;
    const answer = await this.#person.askPerson?.(message.slice(0, 2_000));
    if (answer?.answer !== "done") return answer ? describeRefusal(answer) : "nobody can be asked";
    this.notes.push(
      `A person was asked on ${getHost(page)}: ${words[wanted]}. The function does not repeat what the person did.`,
    );
    return undefined;
  }
}

/** The host that a page is on: paths and queries may hold secrets. */
function getHost(page: Page): string {
  return URL.parse(page.url())?.host || "the page";
}
