import type { DialogAnswer } from "../page/dialog-answer.ts";
import type { ElementNoun } from "./element-nouns.ts";
import type { ThingsQuestion } from "./things-question.ts";

/**
 * An element, and how it is found again after the page has changed.
 */
export interface StepTarget {
  /**
   * Playwright selectors, the most stable first: role and name, label, placeholder, text, test id, position last.
   * The first that matches exactly one visible element counts. May contain `{{variables}}`.
   */
  readonly selectors: readonly string[];
  /** Label for people: `button "Search"`. May contain `{{variables}}`. */
  readonly label: string;
}

/** Kinds of extraction. */
export type ExtractionKind =
  | {
      /** The text of an element; without a target, of the main content. */
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
      /** The texts of all elements of a kind that the page shows. */
      readonly kind: "elements";
      /** The kind. */
      readonly of: ElementNoun;
    }
  | {
      /** Several things of the page, or properties of each. */
      readonly kind: "things";
      /** The question about them. */
      readonly question: ThingsQuestion;
    }
  | {
      /** Data that follows a JSON Schema, from declared data of the page or by the model. */
      readonly kind: "data";
      /** The schema. */
      readonly schema: Readonly<Record<string, unknown>>;
      /** Additional instructions, in free text. */
      readonly instructions?: string;
    };

/** Scroll position of a page, in CSS pixels from its top left corner. */
export interface ScrollPosition {
  readonly x: number;
  readonly y: number;
}

/** Action of a step. */
type Action =
  | { readonly action: "open"; readonly url: string }
  | { readonly action: "back" }
  | { readonly action: "click"; readonly target: StepTarget }
  | { readonly action: "hover"; readonly target: StepTarget }
  | { readonly action: "fill"; readonly target: StepTarget; readonly value: string }
  | { readonly action: "select"; readonly target: StepTarget; readonly option: string }
  | { readonly action: "check"; readonly target: StepTarget; readonly checked: boolean }
  | {
      readonly action: "upload";
      /** A file input, or what opens a file chooser when it is clicked. */
      readonly target: StepTarget;
      /** Names of files of the session. */
      readonly files: readonly string[];
    }
  | { readonly action: "press"; readonly key: string; readonly target?: StepTarget }
  | { readonly action: "scroll"; readonly to: "top" | "bottom" | "down" | "up" | StepTarget | ScrollPosition }
  | {
      readonly action: "tab";
      /** Number of the tab, in the order in which they were opened: 1 for the first page of the session. */
      readonly tab: number;
      /** `choose` waits for the tab and continues in it, `close` closes it. */
      readonly does: "choose" | "close";
    }
  | { readonly action: "wait"; readonly for: { readonly seconds: number } | { readonly text: string } | StepTarget }
  | {
      readonly action: "extract";
      /** Name of the result, an identifier. */
      readonly name: string;
      readonly what: ExtractionKind;
      /** The element to read. Default: the page. */
      readonly target?: StepTarget;
      /** The link to the next page, clicked for at most `most` pages in all. The results of all pages are merged. */
      readonly nextPage?: { readonly target: StepTarget; readonly most: number };
    };

/**
 * One step on the pages of a session. Plain JSON. Every text may contain `{{variables}}`, which are filled in when it is performed.
 * `dialogs` are the answers to the dialogs that it opens, in order. Default: none; a dialog is dismissed.
 */
export type Step = Action & { readonly dialogs?: readonly DialogAnswer[] };

/** A step that extracts something from a page. */
export type ExtractStep = Extract<Step, { readonly action: "extract" }>;

/** An input of a function. */
export interface Variable {
  /** A word: letters, digits, underscores. */
  readonly name: string;
  /** Default value: that of the recorded task. Null for a secret: it is not stored, and has to be given for each run. */
  readonly value: string | null;
}

/** Result of a step. */
export interface StepResult {
  /** Summary of the step in one sentence for people and models. */
  readonly summary: string;
  /** Notes, as sentences: reactions of the page that are no failure, and content that was not read. The end of the run repeats them. */
  readonly notes?: readonly string[];
  /** Extracted value, under its name. */
  readonly data?: {
    readonly name: string;
    readonly value: unknown;
    /** Completeness, as a sentence; empty for a value without parts. */
    readonly completeness: string;
  };
}
