import type { JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { keyMessage, mouseMessage, touchMessage, wheelMessage, type Shown } from "./input-messages.ts";
import type { LiveSession } from "./live-session.ts";

/** The picture of the page; while this viewer has the control, mouse, keys and fingers on it act on the page. */
export function Screen({
  canvas,
  live,
}: {
  canvas: RefObject<HTMLCanvasElement | null>;
  live: LiveSession | undefined;
}): JSX.Element {
  const keys = useRef<HTMLTextAreaElement>(null);
  const isSteering = live?.isHolder === true;
  useEffect(() => {
    if (isSteering) keys.current?.focus({ preventScroll: true });
  }, [isSteering]);
  useEffect(() => {
    const element = canvas.current;
    if (!element || !live || !isSteering) return;
    return actOn(element, live, () => keys.current?.focus({ preventScroll: true }));
  }, [live, isSteering]);
  const size = live?.size.value;
  return (
    <div class={isSteering ? "screen steering" : "screen"}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={size ? "The page of the session, live" : "No picture of the page yet"}
        width={1280}
        height={720}
      />
      {isSteering && live && <Keys field={keys} live={live} />}
    </div>
  );
}

/** Field that receives keys, texts of input methods, and pasted text, also from keyboards of phones. */
function Keys({ field, live }: { field: RefObject<HTMLTextAreaElement | null>; live: LiveSession }): JSX.Element {
  const down = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      event.preventDefault();
      return live.change("watching");
    }
    // What is pasted comes as a text.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return;
    const message = keyMessage(event, "down");
    if (!message) return;
    event.preventDefault();
    live.send(message);
  };
  const text = (value: string): void => {
    if (value !== "") live.send({ type: "text", text: value.slice(0, 100_000) });
    if (field.current) field.current.value = "";
  };
  return (
    <textarea
      ref={field}
      class="keys"
      aria-label="Keys for the page; Escape gives the control back"
      autoCapitalize="off"
      autoComplete="off"
      spellcheck={false}
      onKeyDown={down}
      onKeyUp={(event) => live.send(keyMessage(event, "up"))}
      onInput={(event) => {
        if (!event.isComposing) text(event.currentTarget.value);
      }}
      onCompositionEnd={({ currentTarget }) => text(currentTarget.value)}
      onPaste={(event) => {
        event.preventDefault();
        text(event.clipboardData?.getData("text/plain") ?? "");
      }}
    />
  );
}

/** Sends mouse and touch input on an element, until the returned function is called. */
function actOn(element: HTMLCanvasElement, live: LiveSession, focus: () => void): () => void {
  const left = new AbortController();
  const options = { signal: left.signal, passive: false } as const;
  const shown = (): Shown => {
    const { left: x, top, width, height } = element.getBoundingClientRect();
    const size = live.size.value ?? { width: element.width, height: element.height };
    return { left: x, top, width, height, pageWidth: size.width, pageHeight: size.height };
  };
  /** The newest move: one is sent for each picture of the screen, which is all that can be seen. */
  let move: PointerEvent | undefined;
  const sendMove = (): void => {
    if (move) live.send(mouseMessage(move, "move", shown()));
    move = undefined;
  };
  element.addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerType === "touch") return;
      if (!move) requestAnimationFrame(sendMove);
      move = event;
    },
    options,
  );
  element.addEventListener(
    "pointerdown",
    (event) => {
      focus();
      if (event.pointerType !== "touch") element.setPointerCapture(event.pointerId);
    },
    options,
  );
  for (const [name, action] of [
    ["mousedown", "down"],
    ["mouseup", "up"],
  ] as const) {
    element.addEventListener(
      name,
      (event) => {
        event.preventDefault();
        sendMove();
        live.send(mouseMessage(event, action, shown()));
      },
      options,
    );
  }
  element.addEventListener("contextmenu", (event) => event.preventDefault(), options);
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      live.send(wheelMessage(event, shown()));
    },
    options,
  );
  for (const [name, action] of [
    ["touchstart", "start"],
    ["touchmove", "move"],
    ["touchend", "end"],
    ["touchcancel", "cancel"],
  ] as const) {
    element.addEventListener(
      name,
      (event) => {
        event.preventDefault();
        if (action === "start") focus();
        live.send(touchMessage([...event.touches], action, shown()));
      },
      options,
    );
  }
  return () => left.abort();
}
