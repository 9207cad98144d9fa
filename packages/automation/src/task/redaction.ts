import { formsInAddress } from "./address-forms.ts";
import { AutomationError } from "../automation-error.ts";

/** Replacement of a secret. */
const mask = "•••";

/** Words of a task after which a secret follows: quoted, or a word that is no plain one. */
const inTask =
  /\b(?:password|passphrase|passcode|pass|pin|secret|token)\b\s*(?:is|=|:|of|as|with)?\s*(?:"([^"\n]+)"|'([^'\n]+)'|“([^”\n]+)”|`([^`\n]+)`|((?=\S*[\d!@#$%^&*_+=-])\S{4,}))/giu;

/**
 * Collects and redacts secrets: values that were filled into password fields, and what a task names as a password.
 */
export class Secrets {
  readonly #names = new Map<string, string>();
  readonly #expected = new Set<string>();

  /** @param task - What it names as a password is not told either, before it is filled in anywhere. */
  constructor(task: string) {
    for (const match of task.matchAll(inTask)) {
      const value = match.slice(1).find((group) => group !== undefined);
      // What stands at the end of a word may be of the sentence, or of the secret.
      if (value) this.#expected.add(value).add(value.replace(/[.,;:!?)]+$/, ""));
    }
  }

  /** The variables that stand for secrets: name to value. */
  get variables(): ReadonlyMap<string, string> {
    return new Map([...this.#names].map(([value, name]) => [name, value]));
  }

  /** Tells whether the task names a value as a secret. */
  isExpected(value: string): boolean {
    return this.#expected.has(value);
  }

  /** Name of the variable of a value that is a secret already; undefined when it is none. */
  nameOf(value: string): string | undefined {
    return this.#names.get(value);
  }

  /** Keeps a value secret from now on; gives the name of its variable. */
  keep(value: string): string {
    const name = this.#names.get(value) ?? (this.#names.size === 0 ? "password" : `password_${this.#names.size + 1}`);
    this.#names.set(value, name);
    return name;
  }

  /** A text without any secret. */
  hide(text: string): string {
    let hidden = text;
    for (const value of this.#longestFirst()) hidden = hidden.replaceAll(value, mask);
    return hidden;
  }

  /** A text with the names of secrets in place of them: `{{password}}`. */
  nameIn(text: string): string {
    const known = [...this.#names].sort(([one], [other]) => other.length - one.length);
    return this.hide(known.reduce((named, [value, name]) => named.replaceAll(value, `{{${name}}}`), text));
  }

  /** JSON without any secret in its texts and names. */
  hideIn(value: unknown): unknown {
    if (typeof value === "string") return this.hide(value);
    if (Array.isArray(value)) return value.map((item) => this.hideIn(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.hide(name), this.hideIn(item)]));
  }

  /** How much of the end of a text could be the beginning of a secret, in characters. */
  openEnd(text: string): number {
    let open = 0;
    for (const value of this.#longestFirst()) {
      for (let length = Math.min(value.length - 1, text.length); length > open; length -= 1) {
        if (value.startsWith(text.slice(-length))) open = length;
      }
    }
    return open;
  }

  #longestFirst(): readonly string[] {
    const known = [...this.#names.keys(), ...this.#expected];
    const values = new Set(known.flatMap((value) => [value, inJson(value)].concat(formsInAddress(value))));
    return [...values].filter((value) => value.length > 0).sort((one, other) => other.length - one.length);
  }
}

/** A value as it stands within quotation marks: steps and results are told so. */
function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** The same error without secrets, and without its cause when that holds some. */
export function hiddenIn(error: unknown, secrets: Secrets): unknown {
  if (!(error instanceof AutomationError)) return error;
  const message = secrets.hide(error.message);
  return message === error.message ? error : new AutomationError(error.code, message);
}

/** A text that comes in pieces, without secrets: what could become one is held back until it is clear. */
export class HiddenStream {
  readonly #secrets: Secrets;
  #held = "";

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Takes a piece; gives what can be told. */
  take(piece: string): string {
    const text = this.#secrets.hide(this.#held + piece);
    const open = this.#secrets.openEnd(text);
    this.#held = open === 0 ? "" : text.slice(-open);
    return open === 0 ? text : text.slice(0, -open);
  }

  /** Gives what was held back, at the end of the text. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}
