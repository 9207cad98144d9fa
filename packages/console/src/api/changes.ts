import { signal } from "@preact/signals";
import { control, unwrap } from "./control.ts";
import { forAllKeys } from "./lists.ts";

/** Kind of list whose entries can change. */
export type ChangedList = "sessions" | "runs" | "handovers";

const kinds: readonly ChangedList[] = ["sessions", "runs", "handovers"];

/** First and longest time until a lost stream is opened again, in milliseconds. */
const retryMs = { first: 1_000, most: 30_000 } as const;
/** Time without a byte after which a stream counts as lost, in milliseconds: the service sends a comment every 15 seconds. */
const silentMs = 40_000;

/** True while the service reports changes; otherwise lists are polled. */
export const isTold = signal(false);

/** Number of reported changes of each kind. */
export const changeCounts: Readonly<Record<ChangedList, { value: number; peek(): number }>> = {
  sessions: signal(0),
  runs: signal(0),
  handovers: signal(0),
};

/**
 * Follows what changes, of all keys that this one may see, while the tab is visible: browsers allow six connections to a service over HTTP/1,
 * and each tab that is seen takes one. Returns a function that stops it.
 */
export function followChanges(): () => void {
  const stopped = new AbortController();
  let current: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs: number = retryMs.first;
  const open = async (): Promise<void> => {
    clearTimeout(timer);
    if (current || document.hidden || stopped.signal.aborted) return;
    const own = new AbortController();
    current = own;
    try {
      await follow(own, () => (waitMs = retryMs.first));
    } catch {
      // The service can't be reached, or is older than this page.
    }
    own.abort();
    if (current === own) {
      current = undefined;
      isTold.value = false;
    }
    if (stopped.signal.aborted || current) return;
    timer = setTimeout(() => void open(), waitMs);
    waitMs = Math.min(waitMs * 2, retryMs.most);
  };
  const onVisible = (): void => {
    if (!document.hidden) return void open();
    current?.abort();
    current = undefined;
    isTold.value = false;
  };
  document.addEventListener("visibilitychange", onVisible);
  void open();
  return () => {
    stopped.abort();
    clearTimeout(timer);
    current?.abort();
    isTold.value = false;
    document.removeEventListener("visibilitychange", onVisible);
  };
}

/** Reads one stream to its end. */
async function follow(own: AbortController, onEvent: () => void): Promise<void> {
  const body = await forAllKeys((query) =>
    unwrap(control.GET("/control/changes", { params: { query }, parseAs: "stream", signal: own.signal })),
  );
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let silent = setTimeout(() => own.abort(), silentMs);
  own.signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined), { once: true });
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    clearTimeout(silent);
    if (done || own.signal.aborted) return;
    silent = setTimeout(() => own.abort(), silentMs);
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((one) => one.startsWith("data: "))) {
      const changedKinds = new Set<unknown>(Object(JSON.parse(line.slice("data: ".length)))["kinds"]);
      isTold.value = true;
      onEvent();
      for (const kind of kinds) if (changedKinds.has(kind)) changeCounts[kind].value += 1;
    }
  }
}
