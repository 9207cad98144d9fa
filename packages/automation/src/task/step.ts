/**
 * A part of a page, and how it is found again after the page has changed.
 */
export interface Target {
  /**
   * Playwright selectors, the most lasting first: role and name, label, placeholder, text, test id, structure at last.
   * The first that leads to exactly one visible element counts. They may hold `{{variables}}`.
   */
  readonly selectors: readonly string[];
  /** Label for people: `button "Search"`. May hold `{{variables}}`. */
  readonly label: string;
}

/** Kinds of extraction. */
export type Extraction =
  | {
      /** The text of one part, or of the main content without a target. */
      readonly kind: "text";
    }
  | {
      /** A table, as a list of objects: header to text. */
      readonly kind: "table";
    }
  | {
      /** A list, or links, as a list of texts, or of texts with addresses. */
      readonly kind: "list" | "links";
    }
  | {
      /** Data that follows a JSON Schema, from what the page declares or by the model. */
      readonly kind: "data";
      /** The schema. */
      readonly schema: Readonly<Record<string, unknown>>;
      /** More about what is wanted, in free text. */
      readonly instructions?: string;
    };

/**
 * One step on the pages of a session. Plain JSON. Every text in it may hold `{{variables}}`, which get their values when it is performed.
 */
export type Step =
  | { readonly action: "open"; readonly url: string }
  | { readonly action: "back" }
  | { readonly action: "click"; readonly target: Target }
  | { readonly action: "fill"; readonly target: Target; readonly value: string }
  | { readonly action: "select"; readonly target: Target; readonly option: string }
  | { readonly action: "check"; readonly target: Target; readonly checked: boolean }
  | { readonly action: "press"; readonly key: string; readonly target?: Target }
  | { readonly action: "scroll"; readonly to: "top" | "bottom" | "down" | "up" | Target }
  | { readonly action: "wait"; readonly for: { readonly seconds: number } | { readonly text: string } | Target }
  | {
      readonly action: "extract";
      /** Name of the result, a word. */
      readonly name: string;
      readonly what: Extraction;
      /** The part; without it the page. */
      readonly target?: Target;
      /** Clicked for as long as it is there, at most `most` pages in all; the results of all pages are put together. */
      readonly nextPage?: { readonly target: Target; readonly most: number };
    };

/** A value of a task that may be another one the next time. */
export interface Variable {
  /** A word: letters, digits, underscores. */
  readonly name: string;
  /** Default: the value when the function was made. Null for a secret: that is not kept, and has to be given each time. */
  readonly value: string | null;
}

/** Result of a step. */
export interface StepResult {
  /** Summary of the step in one sentence for people and models. */
  readonly summary: string;
  /** Extracted value, under its name. */
  readonly data?: { readonly name: string; readonly value: unknown };
}
