import type { Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import { describeRefusal, type PersonAtWork } from "../person/person.ts";
import { findWantedCredential, isBeforeContent, type Credential } from "../person/wanted-credential.ts";
import type { Instruction } from "./instruction.ts";

const words: Readonly<Record<Credential, string>> = {
  login: "it wants a login that the task does not give",
  code: "it wants a code that is valid once",
};

/** Fields by whose names a task gives what a page wants. */
const given: Readonly<Record<Credential, RegExp>> = {
  login: /passw|kennwort|passphrase|mot de passe|contraseña|\bpin\b/iu,
  code: /code|\botp\b|token|\btan\b|código/iu,
};

/**
 * Asks a person where a page wants a login or a code for which the task gives no value. Does nothing where nobody can be asked: it fails
 * then as it did.
 */
export class CredentialRequests {
  readonly #plan: readonly Instruction[];
  readonly #person: PersonAtWork;
  /** What a person was asked for, and has done, as sentences. */
  readonly notes: string[] = [];

  constructor(plan: readonly Instruction[], person: PersonAtWork) {
    this.#plan = plan;
    this.#person = person;
  }

  /**
   * Asks before something is read of a page that stands before the one that is meant: nothing would fail, and the wrong page be read.
   *
   * @throws {AutomationError} `step_failed` when nobody does it.
   */
  async before(page: Page, { verb }: Instruction): Promise<void> {
    if (!this.#person.askPerson || !verb.startsWith("extract")) return;
    const wanted = await this.#wantedBy(page);
    if (wanted === undefined || !(await isBeforeContent(page))) return;
    const answer = await this.#ask(page, wanted, undefined);
    if (answer !== undefined)
      throw new AutomationError("step_failed", `nothing was read of ${hostOf(page)}: ${words[wanted]}, and ${answer}`);
  }

  /**
   * Asks after an instruction has failed, when the page wants something.
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

  #gives(wanted: Credential): boolean {
    return this.#plan.some((instruction) => {
      if (instruction.verb === "log-in") return wanted === "login";
      return instruction.verb === "fill" && given[wanted].test(instruction.field);
    });
  }

  /** Returns undefined when a person has done it; otherwise why not. */
  async #ask(page: Page, wanted: Credential, what: string | undefined): Promise<string | undefined> {
    const act = wanted === "login" ? "Log in" : "Enter the code";
    const failed = what === undefined ? "" : ` This step was begun and did not succeed, so complete it, too: ${what}.`;
    const message = `${act} on ${hostOf(page)}: ${words[wanted]}.${failed} Answer "done" when the page shows what comes after it; the automation goes on from there.`;
    const answer = await this.#person.askPerson?.(message.slice(0, 2_000));
    if (answer?.answer !== "done") return answer ? describeRefusal(answer) : "nobody can be asked";
    this.notes.push(
      `A person was asked on ${hostOf(page)}: ${words[wanted]}. The function does not repeat what the person did.`,
    );
    return undefined;
  }
}

/** The host that a page is on: paths and queries may hold secrets. */
function hostOf(page: Page): string {
  return URL.parse(page.url())?.host || "the page";
}
