import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { JSX } from "preact";

/** What was filled into a form. */
export interface Fields {
  /** Returns the text of a field, without space around it; empty where there is none. */
  readonly text: (name: string) => string;
  /** Returns whether a box is checked. */
  readonly isChecked: (name: string) => boolean;
}

/** A form that is being filled in, or sent. */
export interface Submission {
  /** For `onSubmit`. */
  readonly submit: (event: SubmitEvent) => void;
  /** Whether it is on its way. */
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why it failed the last time; undefined when it did not. */
  readonly error: ReadonlySignal<Error | undefined>;
}

/** Runs something with the fields of a form when that is submitted, and keeps why it failed. */
export function useSubmit(run: (fields: Fields) => Promise<void>): Submission {
  const isBusy = useSignal(false);
  const error = useSignal<Error | undefined>(undefined);
  const submit = async (form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    error.value = undefined;
    try {
      await run(readFields(new FormData(form, submitter)));
    } catch (thrown) {
      error.value = toError(thrown);
    }
    isBusy.value = false;
  };
  return {
    isBusy,
    error,
    submit: (event) => {
      event.preventDefault();
      if (event.currentTarget instanceof HTMLFormElement) void submit(event.currentTarget, event.submitter);
    },
  };
}

/** Reads the fields of a form. */
export function readFields(form: FormData): Fields {
  return {
    text: (name) => {
      const value = form.get(name);
      return typeof value === "string" ? value.trim() : "";
    },
    isChecked: (name) => form.get(name) !== null,
  };
}

/** Returns what was thrown as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The button that submits a form. */
export function SubmitButton({
  of,
  label,
  busy,
  disabled = false,
}: {
  of: Submission;
  label: string;
  busy: string;
  disabled?: boolean;
}): JSX.Element {
  return (
    <button class="primary" disabled={disabled || of.isBusy.value}>
      {of.isBusy.value ? `${busy} …` : label}
    </button>
  );
}
