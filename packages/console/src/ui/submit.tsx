import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { JSX } from "preact";

/** Values of a form. */
export interface FormFields {
  /** Returns the trimmed text of a field; empty for an unknown field. */
  readonly text: (name: string) => string;
  /** Returns the files that were chosen in a field. */
  readonly files: (name: string) => readonly File[];
  /** Returns whether a box is checked. */
  readonly isChecked: (name: string) => boolean;
}

/** A form that is being filled in, or sent. */
export interface Submission {
  /** Handler for `onSubmit`. */
  readonly submit: (event: SubmitEvent) => void;
  /** True while it is in progress. */
  readonly isBusy: ReadonlySignal<boolean>;
  /** Error of the last attempt; undefined after success. */
  readonly error: ReadonlySignal<Error | undefined>;
}

/** Runs an action with the fields of a form when it is submitted, and keeps its error. */
export function useSubmit(run: (fields: FormFields) => Promise<void>): Submission {
  const isBusy = useSignal(false);
  const error = useSignal<Error | undefined>(undefined);
  const submit = async (form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    error.value = undefined;
    try {
      await run(readForm(new FormData(form, submitter)));
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
export function readForm(form: FormData): FormFields {
  return {
    text: (name) => {
      const value = form.get(name);
      return typeof value === "string" ? value.trim() : "";
    },
    // A field without a file has one without a name.
    files: (name) => form.getAll(name).flatMap((value) => (value instanceof File && value.name !== "" ? [value] : [])),
    isChecked: (name) => form.get(name) !== null,
  };
}

/** Returns a thrown value as an error. */
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
