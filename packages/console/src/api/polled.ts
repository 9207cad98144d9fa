import { effect, untracked, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { changeCounts, isTold, type ChangedList } from "./changes.ts";

/** Last value, and the error of the last attempt. */
export interface Polled<Value> {
  /** Undefined before the first answer. */
  readonly value: Value | undefined;
  /** Undefined while it can be read. */
  readonly error: Error | undefined;
}

/** Interval of polling while the service reports changes, in milliseconds: a lost node reports nothing. */
const toldEveryMs = 20_000;

/**
 * Reads a value, and reads it again every `everyMs` milliseconds while the tab is visible. A failed attempt keeps the value before.
 *
 * @param keys - Another value of one of these reads anew, from the beginning.
 * @param everyMs - Undefined: read once.
 * @param kinds - Lists that it is of: it is read when the service tells that one has changed, and every `everyMs` only while it does not.
 * @param goesOn - Returns whether a value changes by itself, without being told: it is read every `everyMs` then. Default: none does.
 */
export function usePolled<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
  everyMs?: number,
  kinds: readonly ChangedList[] = [],
  goesOn: (value: Value) => boolean = () => false,
): ReadonlySignal<Polled<Value>> & { readonly again: () => void } {
  const state = useSignal<Polled<Value>>({ value: undefined, error: undefined });
  const again = useSignal(() => {});
  const isFollowed = (): boolean => {
    const { value } = state.peek();
    return kinds.length > 0 && isTold.peek() && value !== undefined && !goesOn(value);
  };
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    let isStale = false;
    state.value = { value: undefined, error: undefined };
    const look = async (): Promise<void> => {
      isStale = isReading;
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
      if (left.signal.aborted || document.hidden) return;
      // It has changed while it was read.
      if (isStale) return look();
      if (everyMs !== undefined) timer = setTimeout(() => void look(), isFollowed() ? toldEveryMs : everyMs);
    };
    const onVisible = (): void => {
      if (!document.hidden) void look();
    };
    again.value = () => void look();
    document.addEventListener("visibilitychange", onVisible);
    void look();
    // Not at once: the value is being read for the first time. When the stream is lost, the shorter period begins.
    let isFirst = true;
    const stop = effect(() => {
      const marks = [isTold.value, ...kinds.map((kind) => changeCounts[kind].value)];
      if (!isFirst && marks.length > 1) untracked(onVisible);
      isFirst = false;
    });
    return () => {
      stop();
      left.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [...keys, everyMs]);
  return Object.assign(state, { again: () => again.value() });
}
