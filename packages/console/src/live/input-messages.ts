import type { LiveInput } from "./live-socket.ts";

/** A point of the page, in CSS pixels of its viewport. */
export interface PagePoint {
  readonly x: number;
  readonly y: number;
}

/** Point on the screen of the viewer. */
interface ScreenPoint {
  readonly clientX: number;
  readonly clientY: number;
}

/** A rectangle on the screen that shows a viewport. */
export interface Shown {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Width of the viewport that it shows, in CSS pixels. */
  readonly pageWidth: number;
  readonly pageHeight: number;
}

function scale(at: number, from: number, size: number, pageSize: number): number {
  return Math.min(pageSize - 1, Math.max(0, Math.round(((at - from) / Math.max(1, size)) * pageSize)));
}

const buttons = ["left", "middle", "right", "back", "forward"] as const;

/** Keys of a held modifier, as the service counts them. */
interface Held {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** Returns the sum that stands for the modifiers that are held. */
function countModifiers({ altKey, ctrlKey, metaKey, shiftKey }: Held): number {
  return Number(altKey) + Number(ctrlKey) * 2 + Number(metaKey) * 4 + Number(shiftKey) * 8;
}

/** Returns the point of the page that lies under a point of the screen, within the viewport. */
export function toPagePoint({ clientX, clientY }: ScreenPoint, shown: Shown): PagePoint {
  return {
    x: scale(clientX, shown.left, shown.width, shown.pageWidth),
    y: scale(clientY, shown.top, shown.height, shown.pageHeight),
  };
}

/** Returns the message of a mouse that moved, or of a button. */
export function mouseMessage(
  event: ScreenPoint & Held & { readonly button: number; readonly buttons: number; readonly detail: number },
  action: "move" | "down" | "up",
  shown: Shown,
): LiveInput {
  const button = action === "move" ? "none" : (buttons[event.button] ?? "left");
  return {
    type: "mouse",
    action,
    ...toPagePoint(event, shown),
    button,
    buttons: event.buttons & 31,
    ...(action === "move" ? {} : { click_count: Math.min(3, Math.max(1, event.detail)) }),
    modifiers: countModifiers(event),
  };
}

/** Pixels of a line, for wheels that count lines. */
const linePx = 40;
const most = 100_000;

/** Returns the message of a wheel. */
export function wheelMessage(
  event: ScreenPoint & Held & { readonly deltaX: number; readonly deltaY: number; readonly deltaMode: number },
  shown: Shown,
): LiveInput {
  const unit = [1, linePx, shown.pageHeight][event.deltaMode] ?? 1;
  const bound = (delta: number): number => Math.min(most, Math.max(-most, delta * unit));
  return {
    type: "wheel",
    ...toPagePoint(event, shown),
    delta_x: bound(event.deltaX),
    delta_y: bound(event.deltaY),
    modifiers: countModifiers(event),
  };
}

/** Returns the message of a key; undefined for keys that are not for the page: dead keys, and those of an input method. */
export function keyMessage(
  event: Held & {
    readonly key: string;
    readonly code: string;
    readonly repeat: boolean;
    readonly isComposing: boolean;
  },
  action: "down" | "up",
): LiveInput | undefined {
  const { key, code, repeat, isComposing } = event;
  if (isComposing || key === "Dead" || key === "Process" || key === "Unidentified" || key.length > 32) return undefined;
  return { type: "key", action, key, code: code.slice(0, 32), repeat, modifiers: countModifiers(event) };
}

/** Returns the message of fingers. */
export function touchMessage(
  touches: readonly (ScreenPoint & { readonly identifier: number })[],
  action: "start" | "move" | "end" | "cancel",
  shown: Shown,
): LiveInput {
  const points = touches.slice(0, 10).map((touch) => {
    const { x, y } = toPagePoint(touch, shown);
    return { x, y, id: Math.abs(touch.identifier) % 32 };
  });
  return { type: "touch", action, points };
}
