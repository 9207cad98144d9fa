/** Activity of a document. */
export interface Activity {
  /** Number of pending timers and animations that a step, or the loading of the document, began. */
  readonly timers: number;
  /** Time since the last change of the document, in milliseconds. */
  readonly quietMs: number;
  /** True when the document changed by itself before the step began. */
  readonly changesByItself: boolean;
}

/** Reason why an element counts as a message. */
export type MessageRole = "alert" | "live" | "looks";

/** A message of a document. */
export interface Message {
  /** Its text. */
  readonly text: string;
  /** `alert`, another `live` region, or what only `looks` like a message by the name of its class. */
  readonly role: MessageRole;
  /** True when it is still shown. */
  readonly isShown: boolean;
}

/** Messages, texts and invalid fields that appeared in a document since a step began. */
export interface DocumentChanges {
  /** Texts of messages that appeared. */
  readonly messages: readonly Message[];
  /** Other short texts that appeared; none if many did. `isWritten` is false for a text that was only unfolded. */
  readonly texts: readonly { readonly text: string; readonly isWritten: boolean }[];
  /** True when nothing else appeared: no field, button or link. */
  readonly isOnlyText: boolean;
  /** Fields that became invalid, with the reason that the document gives. */
  readonly invalid: readonly string[];
}

/** The watch of one document, in the page. */
export interface DocumentWatch {
  readonly begin: () => void;
  readonly idle: () => void;
  readonly look: () => Activity;
  readonly collect: () => DocumentChanges;
}

/** Name of the symbol under which a document keeps its watch. */
export const watchSymbol = "cloud-browser.document-watch";

/**
 * Runs in the page, before its own scripts where that is possible: watches timers, changes, messages, and values that were set.
 */
export function watchDocument(symbol: string): void {
  const key = Symbol.for(symbol);
  if (Reflect.has(globalThis, key)) return;
  /** Bounds of the delay of timers that are watched, in milliseconds. */
  const delays = { most: 2500, least: 5 };
  const liveSelector =
    "[role=alert], [role=alertdialog], [role=status], output, [aria-live]:not([aria-live=off], [role=log])";
  const messageSelector =
    `${liveSelector}, ` +
    "[class*=error i], [class*=danger i], [class*=alert i], [class*=toast i], [class*=snackbar i], [class*=flash i], [class*=notice i], [id*=error i]";
  const now = performance.now.bind(performance);
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const isShown = (element: Element): boolean =>
    element.isConnected && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const readText = (element: Element): string =>
    oneLine(element instanceof HTMLElement ? element.innerText : element.textContent).slice(0, 300);

  interface Timer {
    readonly signature: string;
    readonly isOwn: boolean;
    readonly isInterval: boolean;
    readonly armedMs: number;
  }
  const timers = new Map<unknown, Timer>();
  /** Signatures of timers that repeat by themselves, or that were set while no step was performed. */
  const repeated = new Set<string>();
  /** Time at which each signature was set first since the step began. */
  let firstArmed = new Map<string, number>();
  /** True until the first step begins: the document loads. */
  let isLoading = true;
  let running: string | undefined;
  let isUnderWay = true;
  let beganMs = now();
  let changedMs = now();
  let idleChanges: number[] = [];
  let changesByItself = false;

  const wrapTimer = (name: "setTimeout" | "setInterval"): void => {
    const native = globalThis[name];
    const wrapped = new Proxy(native, {
      apply(target, self, args: [unknown, unknown, ...unknown[]]) {
        const [callback, delay, ...rest] = args;
        const ms = Number(delay) || 0;
        if (typeof callback !== "function" || ms < delays.least || ms > delays.most)
          return Reflect.apply(target, self, args);
        const signature = `${name} ${ms} ${Function.prototype.toString.call(callback).slice(0, 300)}`;
        const armedMs = now();
        const first = firstArmed.get(signature) ?? armedMs;
        firstArmed.set(signature, first);
        const isAgain = running === signature && (isLoading || armedMs - first > delays.most);
        if (isAgain || !isUnderWay) repeated.add(signature);
        let id: unknown = undefined;
        const run = function (this: unknown, ...values: unknown[]): unknown {
          if (name === "setTimeout") timers.delete(id);
          const before = running;
          running = signature;
          try {
            return Reflect.apply(callback, this, values);
          } finally {
            running = before;
          }
        };
        id = Reflect.apply(target, self, [run, delay, ...rest]);
        timers.set(id, { signature, isOwn: isUnderWay, isInterval: name === "setInterval", armedMs });
        return id;
      },
    });
    Reflect.set(globalThis, name, wrapped);
  };
  const wrapClear = (name: "clearTimeout" | "clearInterval"): void => {
    const wrapped = new Proxy(globalThis[name], {
      apply(target, self, args: [number]) {
        timers.delete(args[0]);
        return Reflect.apply(target, self, args);
      },
    });
    Reflect.set(globalThis, name, wrapped);
  };
  wrapTimer("setTimeout");
  wrapTimer("setInterval");
  wrapClear("clearTimeout");
  wrapClear("clearInterval");

  /** Selects in the document and in its open shadow roots, within a bound. */
  const selectEverywhere = (selector: string): Element[] => {
    const elements: Element[] = [];
    const visit = (root: Document | ShadowRoot, depth: number): void => {
      elements.push(...root.querySelectorAll(selector));
      if (depth > 4) return;
      for (const element of root.querySelectorAll("*")) if (element.shadowRoot) visit(element.shadowRoot, depth + 1);
    };
    visit(document, 0);
    return elements.slice(0, 500);
  };

  let saidBefore = new Set<string>();
  let invalidBefore = new Set<Element>();
  const messageRoles = new Map<string, MessageRole>();
  /** Changed elements, with true for those whose text was written. */
  const changedParts = new Map<Element, boolean>();
  const rowSelector = "li, tr, option, [role=row], [role=listitem], [role=option], [role=article], pre";
  const maxParts = 4;
  const chooseRole = (element: Element): MessageRole => {
    if (element.matches("[role=alert], [role=alertdialog]")) return "alert";
    return element.matches(liveSelector) ? "live" : "looks";
  };
  /** Returns whether an element is a message: a region with fields or a main heading is a part of the page. */
  const isMessage = (element: Element): boolean => {
    const fields = element.querySelectorAll("input:not([type=hidden]), select, textarea").length;
    return (
      element.querySelector("h1, nav, main, table") === null && fields <= (chooseRole(element) === "looks" ? 1 : 0)
    );
  };
  const note = (element: Element | null | undefined): void => {
    const message = element?.closest(messageSelector);
    if (!message || !isShown(message)) return;
    const text = readText(message);
    if (text !== "" && messageRoles.size < 20 && isMessage(message)) messageRoles.set(text, chooseRole(message));
  };
  const observe = (records: readonly MutationRecord[]): void => {
    const at = now();
    changedMs = at;
    if (!isUnderWay) idleChanges = [...idleChanges.filter((ms) => at - ms < 1500), at].slice(-20);
    for (const { target, addedNodes, type } of records.slice(0, 300)) {
      const element = target instanceof Element ? target : target.parentElement;
      note(element);
      if (changedParts.size > maxParts || !element) continue;
      if (type === "childList") {
        for (const added of addedNodes) {
          if (added instanceof Element) {
            for (const one of [...added.querySelectorAll(messageSelector)].slice(0, 20)) note(one);
            note(added);
            changedParts.set(added, true);
          } else if (oneLine(added.textContent) !== "") changedParts.set(element, true);
        }
      } else changedParts.set(element, type === "characterData" || changedParts.get(element) === true);
    }
  };
  new MutationObserver(observe).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ["class", "style", "hidden", "open", "aria-hidden", "aria-invalid", "aria-busy"],
  });

  const getLabel = (field: Element): string => {
    const own = "labels" in field && field.labels instanceof NodeList ? field.labels[0]?.textContent : "";
    return (
      oneLine(own) ||
      field.getAttribute("aria-label") ||
      field.getAttribute("name") ||
      field.getAttribute("id") ||
      field.localName
    );
  };
  const readByIds = (ids: string | null): string =>
    oneLine(
      (ids ?? "")
        .split(/\s+/)
        .map((id) => (id === "" ? "" : document.getElementById(id)?.textContent))
        .join(" "),
    );
  const describeInvalid = (field: Element): string => {
    const own = "validationMessage" in field ? String(field.validationMessage) : "";
    const why =
      readByIds(field.getAttribute("aria-errormessage")) || readByIds(field.getAttribute("aria-describedby")) || own;
    return `${getLabel(field)}${why === "" ? "" : `: ${why}`}`.slice(0, 300);
  };
  const listInvalidFields = (): Element[] =>
    selectEverywhere("[aria-invalid]:not([aria-invalid=false], [aria-invalid=''])").filter(isShown);
  const listMessages = (): [Element, string][] =>
    selectEverywhere(messageSelector)
      .filter((element) => isShown(element) && isMessage(element))
      .map((element): [Element, string] => [element, readText(element)])
      .filter(([, text]) => text !== "");

  const watch: DocumentWatch = {
    begin() {
      isUnderWay = true;
      beganMs = now();
      changesByItself = idleChanges.filter((ms) => beganMs - ms < 1500).length >= 3;
      isLoading = false;
      firstArmed = new Map();
      for (const [id, timer] of timers) timers.set(id, { ...timer, isOwn: false });
      saidBefore = new Set(listMessages().map(([, text]) => text));
      invalidBefore = new Set(listInvalidFields());
      messageRoles.clear();
      changedParts.clear();
    },
    idle() {
      isUnderWay = false;
    },
    look() {
      const animations = document.getAnimations().filter((animation) => {
        const { endTime = 0 } = animation.effect?.getComputedTiming() ?? {};
        const leftMs = Number(endTime) - Number(animation.currentTime ?? 0);
        return (
          animation.playState === "running" &&
          leftMs > 0 &&
          leftMs <= delays.most &&
          Number(animation.startTime ?? 0) >= beganMs - 50
        );
      });
      const own = [...timers.values()].filter(
        ({ signature, isOwn, isInterval, armedMs }) =>
          isOwn && !repeated.has(signature) && !(isInterval && (isLoading || now() - armedMs > delays.most)),
      );
      return {
        timers: own.length + animations.length,
        quietMs: now() - changedMs,
        changesByItself,
      };
    },
    collect() {
      const visible = new Map(listMessages().map(([element, text]) => [text, chooseRole(element)]));
      const all = new Map([...visible, ...messageRoles].filter(([text]) => !saidBefore.has(text)));
      const isFew = changedParts.size <= maxParts;
      const parts = isFew
        ? [...changedParts].filter(
            ([part]) => isShown(part) && !part.closest(rowSelector) && !part.querySelector(rowSelector),
          )
        : [];
      const controls = "input, select, textarea, button, a, [role=radio], [role=option]";
      const isOnlyText = !parts.some(([part]) => part.matches(controls) || part.querySelector(controls));
      const texts = parts
        .map(([part, isWritten]) => ({ text: readText(part), isWritten }))
        .filter(({ text }) => text !== "" && text.length <= 160 && !all.has(text));
      const invalid = listInvalidFields().filter((field) => !invalidBefore.has(field));
      saidBefore = new Set(listMessages().map(([, text]) => text));
      for (const field of invalid) invalidBefore.add(field);
      messageRoles.clear();
      changedParts.clear();
      const messages = [...all].map(([text, role]) => ({ text, role, isShown: visible.has(text) }));
      return { messages, texts, isOnlyText, invalid: invalid.map(describeInvalid) };
    },
  };
  Object.defineProperty(globalThis, key, { value: watch });
}
