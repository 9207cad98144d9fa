import type { ReadState, StateCookie, StateOrigin, StorageState } from "@cloud-browser/browsers";

/** Most phrases of what is missing that are kept. */
const maxPhrases = 8;

/** A state that is to be written back, and what is missing of it. */
export interface FittedState {
  /** The state. */
  readonly state: StorageState;
  /** The state as JSON. */
  readonly text: string;
  /** Missing parts, as phrases without values; null: nothing. */
  readonly missing: string | null;
}

/** State that the session began with. */
export interface RestoredState {
  /** The state; undefined: none. */
  readonly state: StorageState | undefined;
  /** Cookies of it that the browser did not take. */
  readonly refused: readonly StateCookie[];
}

/**
 * Makes the state that is written back: origins and databases that could not be read keep what they had before, and where it is larger than
 * may be the largest databases are left out, which is told.
 *
 * @returns Undefined when it is too large without any database.
 */
export function fitState(
  { state, unread, leftOut }: ReadState,
  { state: before, refused }: RestoredState,
  maxBytes: number,
): FittedState | undefined {
  const unreadOrigins = before?.origins.filter(({ origin }) => unread.includes(origin)) ?? [];
  const phrases = leftOut.map(({ origin, database, store, records, why }) => {
    const what = [...(database === undefined ? [] : [database]), ...(store === undefined ? [] : [store])].join("/");
    const count = records === undefined ? "" : ` (${records})`;
    return `${origin}${what === "" ? "" : ` ${what}`}: ${why}${count}`;
  });
  for (const { name, domain } of refused) phrases.push(`${domain}: the browser did not take the cookie ${name}`);
  let origins: readonly StateOrigin[] = [...withDatabasesBefore(state.origins, leftOut, before), ...unreadOrigins];
  for (;;) {
    const fitted = { cookies: state.cookies, origins };
    const text = JSON.stringify(fitted);
    if (Buffer.byteLength(text) <= maxBytes) return { state: fitted, text, missing: findMissing(phrases) };
    const largest = findLargestDatabase(origins);
    if (!largest) return undefined;
    phrases.push(`${largest.origin} ${largest.name}: the profile would be larger than ${maxBytes} bytes`);
    origins = origins.map((one) => (one.origin === largest.origin ? withoutDatabase(one, largest.name) : one));
  }
}

/** Adds the databases that could not be read as a whole, as they were before. */
function withDatabasesBefore(
  origins: readonly StateOrigin[],
  leftOut: ReadState["leftOut"],
  before: StorageState | undefined,
): readonly StateOrigin[] {
  const all = new Map(origins.map((one) => [one.origin, one]));
  for (const { origin, database, store } of leftOut) {
    if (database === undefined || store !== undefined) continue;
    const found = before?.origins
      .find((one) => one.origin === origin)
      ?.indexedDB?.find(({ name }) => name === database);
    const { localStorage = [], indexedDB = [] } = all.get(origin) ?? {};
    if (found) all.set(origin, { origin, localStorage, indexedDB: [...indexedDB, found] });
  }
  return [...all.values()];
}

function withoutDatabase(origin: StateOrigin, name: string): StateOrigin {
  return { ...origin, indexedDB: (origin.indexedDB ?? []).filter((one) => one.name !== name) };
}

function findLargestDatabase(
  origins: readonly StateOrigin[],
): { readonly origin: string; readonly name: string } | undefined {
  const sized = origins.flatMap(({ origin, indexedDB = [] }) =>
    indexedDB.map((one) => ({ origin, name: one.name, size: JSON.stringify(one).length })),
  );
  return sized.toSorted((a, b) => b.size - a.size)[0];
}

function findMissing(phrases: readonly string[]): string | null {
  if (phrases.length === 0) return null;
  const more = phrases.length > maxPhrases ? [`and ${phrases.length - maxPhrases} more`] : [];
  return [...phrases.slice(0, maxPhrases), ...more].join("; ").slice(0, 2_000);
}

/** Returns a state in the form of Playwright, in which every cookie states a same-site rule. */
export function toPlaywrightState({ cookies, origins }: StorageState): object {
  return { cookies: cookies.map((cookie) => ({ ...cookie, sameSite: cookie.sameSite ?? "Lax" })), origins };
}
