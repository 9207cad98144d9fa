/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { PageAct, ActTarget, Withheld } from "./act.ts";
import { describeActTarget } from "./describe-element.ts";
import { watchDrags } from "./drag-watch.ts";
import { readFields } from "./field-reader.ts";
import { findActPlace } from "./find-place.ts";
import { findSecretKind } from "./secret-field.ts";

/** Functions that the listeners in a page use. */
interface ActTools {
  readonly describe: typeof describeActTarget;
  readonly findPlace: typeof findActPlace;
  readonly drags: typeof watchDrags;
  readonly fields: typeof readFields;
  readonly findSecret: (field: Element, name: string, value: string) => Withheld | undefined;
  /** Name of the binding that takes an act as JSON. */
  readonly binding: string;
}

/** An act as the page reports it, before time and tab are added. */
type SeenAct = Omit<PageAct, "ageMs" | "trusted" | "dropped">;

/** Typing into a field. */
interface Typing {
  readonly field: Element;
  readonly id: number;
  target: ActTarget | undefined;
  lastMs: number;
  trusted: boolean;
}

/**
 * Listens to the actions in a document, and reports them through a binding. Runs in an isolated world of the page: it uses nothing outside
 * of itself and its tools. Nothing runs without an act: no timer, no observer, no listener of moves. Typing into a field is reported while
 * it is in progress, and for the last time when the field is left, Enter is pressed, or nothing was typed for two seconds; scrolling once,
 * when it has ended.
 */
function listenToActs({ describe, findPlace, drags, fields, findSecret, binding }: ActTools): void {
  // A new document may keep the window of the one before it, with its listeners or without them: the script comes once more then.
  const installed = Symbol.for(binding);
  const known: unknown = Reflect.get(globalThis, installed);
  if (typeof known === "function") return void known();
  const quietMs = 2_000;
  const maxValue = 500;
  /** Text of a field that is too long to be read at each key. */
  const longText = 5_000;
  const mostInASecond = 30;
  const keysMs = 250;
  const now = performance.now.bind(performance);
  const later = setTimeout.bind(globalThis);
  const modifierKeys =
    /^(?:Shift|Control|Alt|Meta|CapsLock|NumLock|ScrollLock|AltGraph|Dead|Process|Unidentified|Fn|Hyper|Super|Compose)$/;
  const keysOfFields = /^(?:Enter|Escape|Tab|F\d+|PageUp|PageDown)$/;
  const knownSecrets = new WeakMap<Element, Withheld>();
  const secretNames = new Set<string>();
  let typing: Typing | undefined;
  /** Begins at a number that no earlier document of the tab has come to. */
  let typings = Math.floor(performance.timeOrigin + now()) * 8;
  let characters: { count: number; lastMs: number } | undefined;
  let scrolled: { readonly place: Document | Element; to: { x: number; y: number }; lastMs: number } | undefined;
  let scrollsUntilMs = -Infinity;
  let isTimed = false;
  let isKeysTimed = false;
  let keysToldMs = -Infinity;
  let second = 0;
  /** Number of acts reported in this second: those of people, and those of scripts, which are counted apart. */
  let counts = { trusted: 0, scripted: 0 };
  let dropped = 0;

  const mayTell = (trusted = true): boolean => {
    const current = Math.floor(now() / 1_000);
    if (current !== second) counts = { trusted: 0, scripted: 0 };
    second = current;
    const count = (counts[trusted ? "trusted" : "scripted"] += 1);
    if (trusted && count > mostInASecond) dropped += 1;
    return count <= mostInASecond;
  };
  const tell = (act: SeenAct, trusted: boolean, atMs: number): void => {
    const send: unknown = Reflect.get(globalThis, binding);
    if (typeof send !== "function") return;
    const more = dropped > 0 ? { dropped } : {};
    dropped = 0;
    send(JSON.stringify({ ...act, trusted, ageMs: Math.round(now() - atMs), ...more }));
  };
  /** Describes an element, and how it is found again. @param host - What in it the event came to. */
  const locate = (element: Element, host = element): ActTarget => {
    const target = describe(element);
    return { ...target, place: findPlace(element, target, describe, host) };
  };
  const { findHost, isField, findField, getValue, isRich, findClicked, listNames } = fields();
  /** What was a secret once stays one: a password that is shown now, or its field that was made anew. */
  const findWithheld = (field: Element, name: string, value: string): Withheld | undefined => {
    const isKnown = listNames(field).some((one) => secretNames.has(one));
    const why = knownSecrets.get(field) ?? findSecret(field, name, value) ?? (isKnown ? "password" : undefined);
    if (why === undefined) return undefined;
    knownSecrets.set(field, why);
    if (why === "password" && secretNames.size < 100) for (const one of listNames(field)) secretNames.add(one);
    return why;
  };
  const notePassword = (field: Element | undefined): void => {
    if (field instanceof HTMLInputElement && field.type === "password") findWithheld(field, "", "");
  };
  const held = (field: Element, { name }: ActTarget): Pick<PageAct, "value" | "withheld" | "isPartial"> => {
    const value = getValue(field);
    const withheld = findWithheld(field, name, value);
    if (withheld !== undefined) return { value: null, withheld };
    return value.length > maxValue ? { value: value.slice(0, maxValue), isPartial: true } : { value };
  };

  const tellTyping = (one: Typing, isGoingOn: boolean): void => {
    const { field, id, trusted, lastMs } = one;
    one.target ??= locate(field);
    const target = isRich(field) ? { ...one.target, place: { keys: [], obstacle: "rich-text" as const } } : one.target;
    const holds = held(field, one.target);
    // What may become the number of a card can't be told from one yet.
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

  const onInput = (event: Event): void => {
    const host = findHost(event);
    if (!host || !isField(host)) return;
    if (host.matches("select, input[type=checkbox], input[type=radio], input[type=file]")) return;
    const field = findField(host);
    notePassword(field);
    if (typing?.field !== field) {
      // A script that sets other fields ends nobody's typing.
      if (!event.isTrusted && typing?.trusted) return;
      endAll();
      typings += 1;
      keysToldMs = -Infinity;
      isKeysTimed = false;
      typing = { field, id: typings, target: undefined, lastMs: now(), trusted: event.isTrusted };
      lookLater();
    }
    typing.lastMs = now();
    typing.trusted ||= event.isTrusted;
    if (event.isTrusted) onTyped(field);
  };
  const onChange = (event: Event): void => {
    const field = findHost(event);
    if (!field) return;
    if (typing?.field === field) return endTyping();
    const isSet = field.matches("select, input[type=checkbox], input[type=radio], input[type=file]");
    const { isTrusted } = event;
    if (!isSet || !mayTell(isTrusted)) return;
    if (isTrusted) endAll();
    const target = locate(field);
    if (field instanceof HTMLSelectElement) {
      const several = field.multiple ? { count: field.selectedOptions.length } : {};
      tell({ kind: "select", target, ...held(field, target), ...several }, isTrusted, now());
    } else if (!(field instanceof HTMLInputElement)) return;
    else if (field.type === "file") tell({ kind: "upload", target, count: field.files?.length ?? 0 }, isTrusted, now());
    else tell({ kind: "check", target, checked: field.checked }, isTrusted, now());
  };
  /** The keys of a PIN are buttons on some pages. */
  const isPad = ({ name }: ActTarget): boolean => {
    if (Array.from(name).length > 1) return false;
    const inputs = document.querySelectorAll("input");
    return [...inputs].slice(0, 50).some((field) => findWithheld(field, "", "") !== undefined);
  };
  const listModifiers = ({ ctrlKey, altKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent): readonly string[] => [
    ...(ctrlKey ? ["Control"] : []),
    ...(altKey ? ["Alt"] : []),
    ...(metaKey ? ["Meta"] : []),
    ...(shiftKey ? ["Shift"] : []),
  ];
  const dragging = drags((from) => {
    endAll();
    if (mayTell()) tell({ kind: "drag", target: describe(from) }, true, now());
  });
  const onClick = (event: Event): void => {
    // One that a key, a label or the submission of a form has caused has no pointer.
    if (!event.isTrusted || !(event instanceof PointerEvent) || event.pointerType === "") return;
    endAll();
    const host = findHost(event);
    const element = host && findClicked(host);
    if (!element || dragging.hasDragged() || !mayTell()) return;
    const isPage = element === document.body || element === document.documentElement;
    const located = isPage ? null : locate(element, host);
    const hidden = { name: "", place: { keys: [], obstacle: "secret-key" as const } };
    const target = located && isPad(located) ? { ...located, ...hidden } : located;
    const modifiers = listModifiers(event).join("+");
    const button =
      event.button === 1 ? ({ button: "middle" } as const) : event.button === 2 ? ({ button: "right" } as const) : {};
    tell(
      { kind: "click", target, ...button, modifiers, ...(event.detail > 1 ? { count: event.detail } : {}) },
      true,
      now(),
    );
  };
  const onKey = (event: Event): void => {
    if (!(event instanceof KeyboardEvent)) return;
    const { key, ctrlKey, metaKey, altKey } = event;
    if (!event.isTrusted || event.isComposing || event.repeat || modifierKeys.test(key)) return;
    const host = findHost(event);
    const isInField =
      isField(host) && !host.matches("input[type=checkbox], input[type=radio], input[type=button], input[type=submit]");
    const isCharacter = /^[\s\S]$/u.test(key);
    const isShortcut = (ctrlKey || metaKey) && !altKey;
    if (/^(?:Page|Arrow|Home|End| )/.test(key)) scrollsUntilMs = now() + 1_000;
    if (isCharacter && !isShortcut) {
      if (isInField) return;
      // Space acts on what has the focus, which is told of a box as it is set.
      if (key === " " && host?.matches("input[type=checkbox], input[type=radio]")) return;
      if (key === " " && host?.matches("button, input, summary, [role=button]")) {
        endAll();
        if (mayTell()) tell({ kind: "press", target: locate(host), key: "Space" }, true, now());
        return;
      }
      characters = { count: (characters?.count ?? 0) + 1, lastMs: now() };
      return lookLater();
    }
    if (isInField && !isShortcut && !keysOfFields.test(key) && host.getAttribute("role") !== "combobox") return;
    endAll();
    if (!mayTell()) return;
    const target = host && host !== document.body && host !== document.documentElement ? locate(host) : null;
    tell({ kind: "press", target, key: [...listModifiers(event), key].join("+") }, true, now());
  };
  const onWheel = (event: Event): void => {
    if (event.isTrusted) scrollsUntilMs = now() + 1_000;
  };
  const onScrollEnd = (event: Event): void => {
    if (now() > scrollsUntilMs) return;
    const place = event.target;
    if (!(place instanceof Document || place instanceof Element)) return;
    if (scrolled && scrolled.place !== place) endScrolling();
    const box = place instanceof Document ? (place.scrollingElement ?? place.documentElement) : place;
    scrolled = { place, to: { x: Math.round(box.scrollLeft), y: Math.round(box.scrollTop) }, lastMs: now() };
    lookLater();
  };
  const onFocus = (event: Event): void => notePassword(findHost(event));
  const listeners: readonly (readonly [string, (event: Event) => void])[] = [
    ["input", onInput],
    ["change", onChange],
    ["click", onClick],
    ["auxclick", onClick],
    ["keydown", onKey],
    ["focusin", onFocus],
    ["focusout", endTyping],
    ["wheel", onWheel],
    ["touchmove", onWheel],
    ["scrollend", onScrollEnd],
    ["pagehide", endAll],
    ...dragging.listeners,
  ];
  // A page may give its elements properties that no element has; what can't be told then is left out.
  const safe = listeners.map(([type, listener]): readonly [string, (event: Event) => void] => [
    type,
    (event) => {
      try {
        listener(event);
      } catch {
        typing = undefined;
      }
    },
  ]);
  // A listener that is there already is not added again.
  const listen = (): void => {
    for (const [type, listener] of safe) addEventListener(type, listener, { capture: true, passive: true });
  };
  // `document.open` removes all listeners. This hears of nothing but the root element.
  const observer = new MutationObserver(listen);
  const install = (): void => {
    listen();
    observer.observe(document, { childList: true });
  };
  const installNowAndLater = (): void => {
    install();
    // While a window changes its document, `document` is the one before.
    later(install, 0);
  };
  Reflect.set(globalThis, installed, installNowAndLater);
  installNowAndLater();
}

/** Returns the script that listens in a document. @param binding - Name of the binding that takes each act, as JSON. */
export function actScript(binding: string): string {
  const functions = {
    describe: describeActTarget,
    findPlace: findActPlace,
    drags: watchDrags,
    fields: readFields,
    findSecret: findSecretKind,
  };
  const sources = Object.entries(functions).map(([name, one]) => `${name}: ${one.toString()}`);
  const tools = `{ ${sources.join(", ")}, binding: ${JSON.stringify(binding)} }`;
  return `(${listenToActs.toString()})(${tools})`;
}
