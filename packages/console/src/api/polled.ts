import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** What was read, and why the last attempt failed. */
export interface Polled<Value> {
  /** Undefined before the first answer. */
  readonly value: Value | undefined;
  /** Undefined while it can be read. */
  readonly error: Error | undefined;
}

/**
 * Reads a value, and reads it again every `everyMs` milliseconds while the tab is visible. A failed attempt keeps the value before.
 *
 * @param keys - Another value of one of these reads anew, from the beginning.
 * @param everyMs - Undefined: read once.
 */
export function usePolled<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
  everyMs?: number,
): ReadonlySignal<Polled<Value>> & { readonly again: () => void } {
  const state = useSignal<Polled<Value>>({ value: undefined, error: undefined });
  const again = useSignal(() => {});
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    state.value = { value: undefined, error: undefined };
    const look = async (): Promise<void> => {
      if (isReading) return;
      isReading = true;
      clearTimeout(timer);
      try {
        const value = await read(left.signal);
        if (!left.signal.aborted) state.value = { value, error: undefined };
      } catch (error) {
        if (left.signal.aborted) return;
        state.value = { ...state.peek(), error: error instanceof Error ? error : new Error(String(error)) };
      } finally {
        isReading = false;
      }
      if (everyMs !== undefined && !left.signal.aborted && !document.hidden)
        timer = setTimeout(() => void look(), everyMs);
    };
    const onVisible = (): void => {
      if (!document.hidden) void look();
    };
    again.value = () => void look();
    document.addEventListener("visibilitychange", onVisible);
    void look();
    return () => {
      left.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [...keys, everyMs]);
  return Object.assign(state, { again: () => again.value() });
}
