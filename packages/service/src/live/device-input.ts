import { refusePageCommand } from "@cloud-browser/browsers";
import type { CDPSession } from "playwright-core";
import { computeKeyCode, findKeyText } from "./keys.ts";
import type { DeviceInput, LiveAction, LiveFault, LiveKey, LiveMouse, LiveTouch, LiveWheel } from "./live-messages.ts";

/** Input that a newer one of its kind replaces: a move, or a turn of the wheel, which is added to it. */
type Move = LiveMouse | LiveWheel | LiveTouch;

/** Parameters of `Input.dispatchKeyEvent`. */
interface KeyEvent {
  readonly type: "keyUp" | "keyDown" | "rawKeyDown";
  readonly key: string;
  readonly modifiers: number;
  readonly windowsVirtualKeyCode: number;
  readonly code?: string;
  readonly text?: string;
  readonly unmodifiedText?: string;
  readonly autoRepeat?: boolean;
}

/** Most inputs that a page has not answered: one that hangs takes no more. */
const unansweredLimit = 256;

/**
 * Input of a person for one page. One move at a time is under way: while the page is busy with it, the newest one waits, and all between
 * are left out. Whatever is not a move is given to the browser at once, after the move that waits, and waits for no answer.
 */
export class PageInput {
  readonly #devtools: Pick<CDPSession, "send">;
  #waiting: Move | undefined;
  #isMoving = false;
  #unanswered = 0;

  constructor(devtools: Pick<CDPSession, "send">) {
    this.#devtools = devtools;
  }

  /** Gives an input to the page. Returns why not, when it has too many to answer, or the input reaches the machine: a paste. */
  give(input: DeviceInput): LiveFault | undefined {
    if (this.#unanswered >= unansweredLimit)
      return { code: "failed", message: "the page does not respond to earlier input" };
    // What a client that drives may not do, a person may not do either.
    const refusal =
      input.type === "key" ? refusePageCommand("Input.dispatchKeyEvent", { ...makeKeyEvent(input) }) : undefined;
    if (refusal) return { code: "refused", message: "paste is disabled, as sessions share a clipboard: send its text" };
    if (isMove(input)) this.#move(input);
    else {
      this.#flush();
      void this.#dispatch(input);
    }
    return undefined;
  }

  #move(move: Move): void {
    if (!this.#isMoving) return void this.#moveUntilStill(move);
    const { type } = this.#waiting ?? move;
    if (type !== move.type) this.#flush();
    this.#waiting = this.#waiting?.type === "wheel" && move.type === "wheel" ? addWheels(this.#waiting, move) : move;
  }

  async #moveUntilStill(first: Move): Promise<void> {
    this.#isMoving = true;
    for (let next: Move | undefined = first; next;) {
      await this.#dispatch(next);
      next = this.#waiting;
      this.#waiting = undefined;
    }
    this.#isMoving = false;
  }

  #flush(): void {
    const move = this.#waiting;
    this.#waiting = undefined;
    if (move) void this.#dispatch(move);
  }

  async #dispatch(input: DeviceInput): Promise<void> {
    this.#unanswered += 1;
    // A page that closes or navigates meanwhile answers with an error, and its input is gone with it.
    await this.#send(input).catch(() => undefined);
    this.#unanswered -= 1;
  }

  #send(input: DeviceInput): Promise<unknown> {
    switch (input.type) {
      case "mouse": {
        const { action, x, y, button, buttons, click_count, modifiers = 0 } = input;
        const moves = action === "move";
        return this.#devtools.send("Input.dispatchMouseEvent", {
          type: moves ? "mouseMoved" : action === "down" ? "mousePressed" : "mouseReleased",
          x,
          y,
          modifiers,
          button: button ?? (moves ? "none" : "left"),
          clickCount: moves ? 0 : (click_count ?? 1),
          ...(buttons === undefined ? {} : { buttons }),
        });
      }
      case "wheel": {
        const { x, y, delta_x: deltaX, delta_y: deltaY, modifiers = 0 } = input;
        return this.#devtools.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX, deltaY, modifiers });
      }
      case "key":
        return this.#devtools.send("Input.dispatchKeyEvent", makeKeyEvent(input));
      case "text":
        return this.#devtools.send("Input.insertText", { text: input.text });
      case "touch": {
        const { action, points, modifiers = 0 } = input;
        const types = { start: "touchStart", move: "touchMove", end: "touchEnd", cancel: "touchCancel" } as const;
        const touchPoints =
          action === "end" || action === "cancel"
            ? []
            : points.map(({ x, y, id }) => (id === undefined ? { x, y } : { x, y, id }));
        return this.#devtools.send("Input.dispatchTouchEvent", { type: types[action], touchPoints, modifiers });
      }
    }
  }
}

function makeKeyEvent({ action, key, code, repeat, modifiers = 0 }: LiveKey): KeyEvent {
  const text = action === "down" ? findKeyText(key, modifiers) : undefined;
  return {
    type: action === "up" ? "keyUp" : text === undefined ? "rawKeyDown" : "keyDown",
    key,
    modifiers,
    windowsVirtualKeyCode: computeKeyCode(key),
    ...(code === undefined ? {} : { code }),
    ...(text === undefined ? {} : { text, unmodifiedText: text }),
    ...(repeat === undefined ? {} : { autoRepeat: repeat }),
  };
}

/** Returns whether an input is one that a newer one of its kind replaces. */
export function isMove(input: LiveAction): input is Move {
  return input.type === "wheel" || ((input.type === "mouse" || input.type === "touch") && input.action === "move");
}

function addWheels(one: LiveWheel, other: LiveWheel): LiveWheel {
  return { ...other, delta_x: one.delta_x + other.delta_x, delta_y: one.delta_y + other.delta_y };
}
