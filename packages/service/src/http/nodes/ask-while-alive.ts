/** Times of a watch, in milliseconds. */
export interface AliveTimes {
  /** From the request to the first question whether the node is alive, and from each answer to the next question. */
  readonly everyMs: number;
}

const usualTimes: AliveTimes = { everyMs: 1_000 };

/**
 * Asks another node for something that may take long, for as long as it shows that it is alive: a stopped process keeps its connections, and
 * accepts more of them, but answers nothing.
 *
 * @param ask - Asks it, until the signal aborts.
 * @param isAlive - Asks it for a sign of life; resolves with false when none comes in time. Never rejects.
 * @returns What `ask` resolves with; undefined when the node has fallen silent.
 */
export async function askWhileAlive<Answer>(
  ask: (silent: AbortSignal) => Promise<Answer | undefined>,
  isAlive: () => Promise<boolean>,
  { everyMs }: AliveTimes = usualTimes,
): Promise<Answer | undefined> {
  const silence = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const watch = (): void => {
    timer = setTimeout(() => {
      void isAlive().then((alive) => {
        if (isOver) return;
        if (alive) watch();
        else silence.abort();
      });
    }, everyMs);
  };
  watch();
  try {
    return await ask(silence.signal);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}
