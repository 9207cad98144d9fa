/** A promise, and what resolves it. */
export interface Settleable {
  readonly promise: Promise<void>;
  readonly settle: () => void;
}

/** Creates a promise that is resolved from outside: `Promise.withResolvers`, which Node.js 20 lacks. */
export function untilSettled(): Settleable {
  const settlers: (() => void)[] = [];
  const promise = new Promise<void>((resolve) => {
    settlers.push(resolve);
  });
  return { promise, settle: () => settlers[0]?.() };
}
