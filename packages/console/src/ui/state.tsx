import type { ComponentChildren, JSX } from "preact";
import { ControlError } from "../api/control.ts";
import type { Polled } from "../api/polled.ts";

/** Shows that there is nothing, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Shows what went wrong, and what to do. */
export function ErrorNotice({ error, retry }: { error: Error; retry?: () => void }): JSX.Element {
  return (
    <div class="notice bad" role="alert">
      <p>{capitalize(error.message)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows a value when it is there, and before that, or instead, why it is not. */
export function Loaded<Value>({
  of,
  retry,
  missing,
  children,
}: {
  of: Polled<Value>;
  retry?: () => void;
  /** Shown where the service has no such thing. Default: the service's words. */
  missing?: JSX.Element;
  children: (value: Value) => ComponentChildren;
}): JSX.Element {
  if (missing && of.value === undefined && of.error instanceof ControlError && of.error.status === 404) return missing;
  return (
    <>
      {of.error && <ErrorNotice error={of.error} {...(retry ? { retry } : {})} />}
      {of.value === undefined ? !of.error && <Loading /> : children(of.value)}
    </>
  );
}

/** Indicator of loading. */
export function Loading({ what = "Loading" }: { what?: string }): JSX.Element {
  return (
    <p class="loading" role="status">
      {what} …
    </p>
  );
}

/** Returns a sentence with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
