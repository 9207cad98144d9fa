/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { ActTarget } from "./act.ts";
import type { ActReporter } from "./act-reporter.ts";
import type { FieldReader } from "./field-reader.ts";
import type { FieldSecrets } from "./field-secrets.ts";

/** Parts that report unfinished acts. */
interface ActTools extends ActReporter, Pick<FieldReader, "isRich">, Pick<FieldSecrets, "readHolding"> {
  readonly describe: (element: Element) => ActTarget;
  /** Describes an element, and how it is found again. */
  readonly locate: (element: Element) => ActTarget;
}

/** Typing into a field. */
interface Typing {
  readonly field: Element;
  readonly id: number;
  target: ActTarget | undefined;
  lastMs: number;
  trusted: boolean;
}

/** Acts that go on: typing into a field, keys elsewhere, scrolling. */
export interface UnfinishedActs {
  /** Notes that a field was typed into. */
  readonly type: (field: Element, isTrusted: boolean) => void;
  /** Returns whether a field is being typed into. */
  readonly isTyping: (field: Element) => boolean;
  /** Reports typing for the last time. */
  readonly endTyping: () => void;
  /** Forgets typing, without a report. */
  readonly dropTyping: () => void;
  /** Counts a character that was pressed outside of fields. */
  readonly countCharacter: () => void;
  /** Notes where something was scrolled to. */
  readonly scroll: (place: Document | Element, to: { readonly x: number; readonly y: number }) => void;
  /** Reports all that goes on for the last time. */
  readonly endAll: () => void;
}

/**
 * Watches acts that go on. Typing into a field is reported while it is in progress, and for the last time when it ends, or nothing was typed
 * for two seconds; scrolling once, when it has ended. Runs in the page, in a world of its own: it uses nothing outside of itself.
 */
export function watchUnfinished({ mayTell, tell, isRich, readHolding, describe, locate }: ActTools): UnfinishedActs {
  const quietMs = 2_000;
  /** Text of a field that is too long to be read at each key. */
  const longText = 5_000;
  const keysMs = 250;
  const now = performance.now.bind(performance);
  const later = setTimeout.bind(globalThis);
  let typing: Typing | undefined;
  /** Begins at a number that no earlier document of the tab has come to. */
  let typings = Math.floor(performance.timeOrigin + now()) * 8;
  let characters: { count: number; lastMs: number } | undefined;
  let scrolled:
    | { readonly place: Document | Element; readonly to: { readonly x: number; readonly y: number }; lastMs: number }
    | undefined;
  let isTimed = false;
  let isKeysTimed = false;
  let keysToldMs = -Infinity;

  const tellTyping = (one: Typing, isGoingOn: boolean): void => {
    const { field, id, trusted, lastMs } = one;
    one.target ??= locate(field);
    const target = isRich(field) ? { ...one.target, place: { keys: [], obstacle: "rich-text" as const } } : one.target;
    const holds = readHolding(field, one.target);
    // An unfinished number may become the number of a card.
    const isPart = isGoingOn && /^[\d\s-]{9,}$/.test(holds.value ?? "");
    const shown = isPart ? ({ value: null, withheld: "card" } as const) : holds;
    tell({ kind: "fill", target, ...shown, typing: id, isGoingOn }, trusted, lastMs);
  };
  const tellKeys = (): void => {
    isKeysTimed = false;
    keysToldMs = now();
    if (typing?.trusted) tellTyping(typing, true);
  };
  /** Reports typing while it is in progress, as a closing document reports nothing; keys of a quarter of a second together. */
  const onTyped = (field: Element): void => {
    if (isKeysTimed) return;
    const isLong = (field.textContent?.length ?? 0) > longText;
    if (!isLong && now() - keysToldMs >= keysMs) return tellKeys();
    isKeysTimed = true;
    later(tellKeys, isLong ? quietMs : keysMs);
  };
  const endTyping = (): void => {
    const done = typing;
    typing = undefined;
    if (done && mayTell(done.trusted)) tellTyping(done, false);
  };
  const endCharacters = (): void => {
    const done = characters;
    characters = undefined;
    if (done && mayTell()) tell({ kind: "press", target: null, key: null, count: done.count }, true, done.lastMs);
  };
  const endScrolling = (): void => {
    const done = scrolled;
    scrolled = undefined;
    if (!done || !mayTell()) return;
    const { place, to } = done;
    tell({ kind: "scroll", target: place instanceof Document ? null : describe(place), to }, true, done.lastMs);
  };
  const endAll = (): void => {
    endScrolling();
    endCharacters();
    endTyping();
  };
  const look = (): void => {
    isTimed = false;
    const lastMs = Math.max(typing?.lastMs ?? 0, characters?.lastMs ?? 0, scrolled?.lastMs ?? 0);
    if (now() - lastMs >= quietMs) endAll();
    else lookLater(quietMs - (now() - lastMs));
  };
  const lookLater = (ms = quietMs): void => {
    if (isTimed || !(typing || characters || scrolled)) return;
    isTimed = true;
    later(look, ms);
  };

  return {
    type: (field, isTrusted) => {
      if (typing?.field !== field) {
        // A script that sets other fields ends nobody's typing.
        if (!isTrusted && typing?.trusted) return;
        endAll();
        typings += 1;
        keysToldMs = -Infinity;
        isKeysTimed = false;
        typing = { field, id: typings, target: undefined, lastMs: now(), trusted: isTrusted };
        lookLater();
      }
      typing.lastMs = now();
      typing.trusted ||= isTrusted;
      if (isTrusted) onTyped(field);
    },
    isTyping: (field) => typing?.field === field,
    endTyping,
    dropTyping: () => {
      typing = undefined;
    },
    countCharacter: () => {
      characters = { count: (characters?.count ?? 0) + 1, lastMs: now() };
      lookLater();
    },
    scroll: (place, to) => {
      if (scrolled && scrolled.place !== place) endScrolling();
      scrolled = { place, to, lastMs: now() };
      lookLater();
    },
    endAll,
  };
}
