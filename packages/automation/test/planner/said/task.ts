/** A task on a page of its own. */
export interface SaidTask {
  /** What it is about; unique. */
  readonly about: string;
  /** The page. `DID` stands for the address that is told what was done; `say(x)` tells it, too. */
  readonly page: string;
  /** The task, after the page was opened. */
  readonly task: string;
  /** All that the site may be told, in this order. */
  readonly done: readonly string[];
  /** The data that the run gives, in their order. Default: none. */
  readonly data?: readonly unknown[];
  /** What the error says, if the task can't be done as it was said. Default: it is done. */
  readonly error?: RegExp;
}

/** Writes a form that tells the site what was sent. */
export function form(inside: string, attributes = ""): string {
  return `<form action=DID ${attributes}>${inside}</form>`;
}

/** Writes a button that tells the site a word. */
export function button(inside: string, word: string, attributes = ""): string {
  return `<button ${attributes} onclick="say('${word}')">${inside}</button>`;
}
