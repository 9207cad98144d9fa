import { effect, signal, untracked } from "@preact/signals";
import { changeCounts, isTold } from "../api/changes.ts";
import { control, unwrap } from "../api/control.ts";
import { forAllKeys } from "../api/lists.ts";
import { apiKey } from "../api/key.ts";

/** Interval at which open requests are counted, in milliseconds: longer while the service reports changes. */
const everyMs = { untold: 5_000, told: 20_000 } as const;

/** Number of open requests for a person in all sessions that this key sees. */
export const openRequests = signal(0);

/** Counts open requests while a key is signed in, and shows the count in the title of the page. Returns a function that stops it. */
export function countOpenRequests(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const left = new AbortController();
  const look = async (): Promise<void> => {
    clearTimeout(timer);
    if (apiKey.peek() !== undefined && !document.hidden) {
      openRequests.value = await readCount(left.signal).catch(() => openRequests.peek());
    }
    clearTimeout(timer);
    if (!left.signal.aborted) timer = setTimeout(() => void look(), isTold.peek() ? everyMs.told : everyMs.untold);
  };
  const stop = openRequests.subscribe((count) => {
    document.title = count === 0 ? "Cloud browser" : `(${count}) Cloud browser`;
  });
  const unfollow = effect(() => {
    const marks = [changeCounts.handovers.value, isTold.value];
    if (marks.length > 0) untracked(() => void look());
  });
  return () => {
    left.abort();
    clearTimeout(timer);
    stop();
    unfollow();
  };
}

async function readCount(left: AbortSignal): Promise<number> {
  const { open } = await forAllKeys((query) =>
    unwrap(
      control.GET("/control/handovers", { params: { query: { state: "open", limit: 1, ...query } }, signal: left }),
    ),
  );
  return open;
}
