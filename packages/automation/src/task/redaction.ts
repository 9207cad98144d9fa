import { mayEscape, listSpellings, type SecretSpellings } from "./secret-spellings.ts";
import { AutomationError } from "../automation-error.ts";

/** Replacement of a secret. */
const mask = "•••";

/** Words of a task and the secret after them: a quotation, or a word with a digit or special character. */
const namedInTask =
  /\b(?:password|passphrase|passcode|pass|pin|secret|token)\b\s*(?:is|=|:|of|as|with)?\s*(?:"([^"\n]+)"|'([^'\n]+)'|“([^”\n]+)”|`([^`\n]+)`|((?=\S*[\d!@#$%^&*_+=-])\S{4,}))/giu;

/**
 * Collects and redacts secrets: values of password fields, and passwords that a task names.
 */
export class Secrets {
  readonly #names = new Map<string, string>();
  readonly #namedInTask = new Set<string>();
  /** Spellings by secret. */
  readonly #spellings = new Map<string, SecretSpellings>();

  /** @param task - Passwords that it names are redacted before they are filled in anywhere. */
  constructor(task: string) {
    for (const match of task.matchAll(namedInTask)) {
      const value = match.slice(1).find((group) => group !== undefined);
      // Punctuation at the end may belong to the sentence or to the secret.
      if (value) this.#namedInTask.add(value).add(value.replace(/[.,;:!?)]+$/, ""));
    }
  }

  /** Values of the secrets by variable name. */
  get variables(): ReadonlyMap<string, string> {
    return new Map([...this.#names].map(([value, name]) => [name, value]));
  }

  /** Returns whether the task names a value as a secret. */
  isNamedInTask(value: string): boolean {
    return this.#namedInTask.has(value);
  }

  /** Returns the variable name of a secret; undefined if the value is not a secret. */
  findName(value: string): string | undefined {
    return this.#names.get(value);
  }

  /** Adds a secret; returns the name of its variable. */
  add(value: string): string {
    const name = this.#names.get(value) ?? (this.#names.size === 0 ? "password" : `password_${this.#names.size + 1}`);
    this.#names.set(value, name);
    return name;
  }

  /** Redacts all secrets in a text. */
  redact(text: string): string {
    const spellings = this.#listAll();
    let redacted = text;
    for (const spelling of sortLongestFirst(spellings.flatMap(({ texts }) => texts))) {
      redacted = redacted.replaceAll(spelling, mask);
    }
    return mayEscape(redacted) ? spellings.reduce((rest, { mixed }) => rest.replace(mixed, mask), redacted) : redacted;
  }

  /** Replaces secrets in a text by placeholders: `{{password}}`. */
  replaceWithNames(text: string): string {
    const names = [...this.#names].sort(([one], [other]) => other.length - one.length);
    return this.redact(names.reduce((named, [value, name]) => named.replaceAll(value, `{{${name}}}`), text));
  }

  /** Redacts all secrets in the strings and keys of a JSON value. */
  redactJson(value: unknown): unknown {
    if (typeof value === "string") return this.redact(value);
    if (Array.isArray(value)) return value.map((item) => this.redactJson(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.redact(name), this.redactJson(item)]));
  }

  /** Returns the length of the longest end of a text that may be the beginning of a secret, in characters. */
  measurePartialMatch(text: string): number {
    const spellings = this.#listAll();
    let length = 0;
    for (const spelling of spellings.flatMap(({ texts }) => texts)) {
      for (let own = Math.min(spelling.length - 1, text.length); own > length; own -= 1) {
        if (spelling.startsWith(text.slice(-own))) length = own;
      }
    }
    if (!mayEscape(text)) return length;
    return Math.max(length, ...spellings.map(({ open }) => open.exec(text)?.[0].length ?? 0));
  }

  /** Returns the spellings of all secrets, those of the longest first. */
  #listAll(): readonly SecretSpellings[] {
    return sortLongestFirst([...new Set([...this.#names.keys(), ...this.#namedInTask])]).map((secret) => {
      const spellings = this.#spellings.get(secret) ?? listSpellings(secret);
      this.#spellings.set(secret, spellings);
      return spellings;
    });
  }
}

function sortLongestFirst(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text.length > 0).sort((one, other) => other.length - one.length);
}

/** Returns an error with secrets redacted from its message; one that had some loses its cause. */
export function redactError(error: unknown, secrets: Secrets): unknown {
  if (!(error instanceof AutomationError)) return error;
  const message = secrets.redact(error.message);
  return message === error.message ? error : new AutomationError(error.code, message);
}

/** Redacts a text that arrives in pieces: an end that may be the beginning of a secret is held back. */
export class RedactingStream {
  readonly #secrets: Secrets;
  #heldBack = "";

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Adds a piece; returns the text that is safe to emit. */
  redactPiece(piece: string): string {
    const text = this.#secrets.redact(this.#heldBack + piece);
    const open = this.#secrets.measurePartialMatch(text);
    this.#heldBack = open === 0 ? "" : text.slice(-open);
    return open === 0 ? text : text.slice(0, -open);
  }

  /** Ends the text; returns the part that was held back. */
  end(): string {
    const rest = this.#heldBack;
    this.#heldBack = "";
    return rest;
  }
}
