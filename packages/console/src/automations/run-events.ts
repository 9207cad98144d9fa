import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { attachRun } from "@cloud-browser/client/runs";
import { createClient } from "../api/client.ts";
import { toError } from "../ui/submit.tsx";
import { addEvent, emptySnapshot, type RunSnapshot } from "./run-snapshot.ts";

/** Events of a run so far. */
export interface ReadRunEvents {
  readonly snapshot: RunSnapshot;
  /** Error after which they can't be read any more. */
  readonly error: Error | undefined;
}

/** Reads the events of a run, from the first one on. A lost connection is opened again. */
export function useRunEvents(id: string): ReadonlySignal<ReadRunEvents> {
  const state = useSignal<ReadRunEvents>({ snapshot: emptySnapshot(), error: undefined });
  useEffect(() => {
    const left = new AbortController();
    let snapshot = emptySnapshot();
    let frame: number | undefined;
    /** Events come faster than screens are drawn. */
    const show = (): void => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        state.value = { snapshot, error: undefined };
      });
    };
    void (async () => {
      try {
        const { stream } = attachRun(createClient(), id, { signal: left.signal });
        for await (const event of stream) {
          snapshot = addEvent(snapshot, event);
          show();
        }
      } catch (thrown) {
        if (left.signal.aborted) return;
        state.value = { snapshot, error: toError(thrown) };
      }
    })();
    return () => {
      left.abort();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [id]);
  return state;
}
