/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { ActTarget } from "./act.ts";
import { reportActs } from "./act-reporter.ts";
import { describeActTarget } from "./describe-element.ts";
import { watchDrags } from "./drag-watch.ts";
import { readFields } from "./field-reader.ts";
import { watchSecrets } from "./field-secrets.ts";
import { findActPlace } from "./find-place.ts";
import { findSecretKind } from "./secret-field.ts";
import { watchUnfinished } from "./unfinished-acts.ts";

/** Functions that the listeners in a page use. */
const pageFunctions = {
  describe: describeActTarget,
  findPlace: findActPlace,
  drags: watchDrags,
  fields: readFields,
  findSecret: findSecretKind,
  secrets: watchSecrets,
  report: reportActs,
  unfinished: watchUnfinished,
};

/** Arguments in the page: `binding` is the name of the function that takes an act as JSON. */
type ActTools = typeof pageFunctions & { readonly binding: string };

/**
 * Listens to the actions in a document, and reports them through a binding. Runs in an isolated world of the page: it uses nothing outside
 * of itself and its tools. Nothing runs without an act: no timer, no observer, no listener of moves.
 */
function listenToActs({ describe, findPlace, binding, ...tools }: ActTools): void {
  // A new document may keep the window of the one before it, with its listeners or without them: the script comes once more then.
  const installed = Symbol.for(binding);
  const known: unknown = Reflect.get(globalThis, installed);
  if (typeof known === "function") return void known();
  const now = performance.now.bind(performance);
  const later = setTimeout.bind(globalThis);
  const modifierKeys =
    /^(?:Shift|Control|Alt|Meta|CapsLock|NumLock|ScrollLock|AltGraph|Dead|Process|Unidentified|Fn|Hyper|Super|Compose)$/;
  const keysOfFields = /^(?:Enter|Escape|Tab|F\d+|PageUp|PageDown)$/;
  let scrollsUntilMs = -Infinity;

  const { mayTell, tell } = tools.report(binding);
  /** Describes an element, and how it is found again. @param host - What in it the event came to. */
  const locate = (element: Element, host = element): ActTarget => {
    const target = describe(element);
    try {
      return { ...target, place: findPlace(element, target, describe, host) };
    } catch {
      // A form whose fields have the names of methods can't be asked: somewhere in the page is one.
      return { ...target, place: { keys: [], obstacle: "ambiguous" } };
    }
  };
  const fields = tools.fields();
  const { findHost, isField, findField, isRich, findClicked } = fields;
  const { notePassword, readHolding, isPad } = tools.secrets(fields, tools.findSecret);
  const unfinished = tools.unfinished({ mayTell, tell, isRich, readHolding, describe, locate });
  const { endAll, endTyping } = unfinished;

  const onInput = (event: Event): void => {
    const host = findHost(event);
    if (!host || !isField(host)) return;
    if (host.matches("select, input[type=checkbox], input[type=radio], input[type=file]")) return;
    const field = findField(host);
    notePassword(field);
    unfinished.type(field, event.isTrusted);
  };
  const onChange = (event: Event): void => {
    const field = findHost(event);
    if (!field) return;
    if (unfinished.isTyping(field)) return endTyping();
    const isSet = field.matches("select, input[type=checkbox], input[type=radio], input[type=file]");
    const { isTrusted } = event;
    if (!isSet || !mayTell(isTrusted)) return;
    if (isTrusted) endAll();
    const target = locate(field);
    if (field instanceof HTMLSelectElement) {
      const several = field.multiple ? { count: field.selectedOptions.length } : {};
      tell({ kind: "select", target, ...readHolding(field, target), ...several }, isTrusted, now());
    } else if (!(field instanceof HTMLInputElement)) return;
    else if (field.type === "file") tell({ kind: "upload", target, count: field.files?.length ?? 0 }, isTrusted, now());
    else tell({ kind: "check", target, checked: field.checked }, isTrusted, now());
  };
  const listModifiers = ({ ctrlKey, altKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent): readonly string[] => [
    ...(ctrlKey ? ["Control"] : []),
    ...(altKey ? ["Alt"] : []),
    ...(metaKey ? ["Meta"] : []),
    ...(shiftKey ? ["Shift"] : []),
  ];
  const dragging = tools.drags((from) => {
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
      return unfinished.countCharacter();
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
    const box = place instanceof Document ? (place.scrollingElement ?? place.documentElement) : place;
    unfinished.scroll(place, { x: Math.round(box.scrollLeft), y: Math.round(box.scrollTop) });
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
        unfinished.dropTyping();
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
  const sources = Object.entries(pageFunctions).map(([name, one]) => `${name}: ${one.toString()}`);
  const tools = `{ ${sources.join(", ")}, binding: ${JSON.stringify(binding)} }`;
  return `(${listenToActs.toString()})(${tools})`;
}
