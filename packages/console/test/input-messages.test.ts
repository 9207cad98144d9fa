import { expect, test } from "vitest";
import {
  keyMessage,
  mouseMessage,
  touchMessage,
  toPagePoint,
  wheelMessage,
  type Shown,
} from "../src/live/input-messages.ts";

/** A page of 1280 x 720 that is shown at half its size. */
const shown: Shown = { left: 100, top: 50, width: 640, height: 360, pageWidth: 1280, pageHeight: 720 };
const noModifiers = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
const at = { clientX: 420, clientY: 230, ...noModifiers };

test.each([
  [
    { clientX: 100, clientY: 50 },
    { x: 0, y: 0 },
  ],
  [
    { clientX: 420, clientY: 230 },
    { x: 640, y: 360 },
  ],
  [
    { clientX: 740, clientY: 410 },
    { x: 1279, y: 719 },
  ],
  [
    { clientX: -5, clientY: 9_999 },
    { x: 0, y: 719 },
  ],
])("a point of the screen is one of the page: %j", (point, page) => {
  expect(toPagePoint(point, shown)).toEqual(page);
});

test("a picture without a size has no point outside of the page", () => {
  const nothing = { ...shown, width: 0, height: 0 };
  expect(toPagePoint({ clientX: 100, clientY: 50 }, nothing)).toEqual({ x: 0, y: 0 });
});

test("a mouse says its buttons and the keys that are held", () => {
  const event = { ...at, shiftKey: true, metaKey: true, button: 2, buttons: 2, detail: 2 };
  expect(mouseMessage(event, "down", shown)).toEqual({
    type: "mouse",
    action: "down",
    x: 640,
    y: 360,
    button: "right",
    buttons: 2,
    click_count: 2,
    modifiers: 12,
  });
  expect(mouseMessage({ ...event, detail: 9 }, "up", shown)).toMatchObject({ click_count: 3 });
  expect(mouseMessage(event, "move", shown)).toMatchObject({ action: "move", button: "none" });
});

test.each([
  [0, 30, 30],
  [1, 3, 120],
  [2, 1, 720],
  [0, 1e9, 100_000],
])("a wheel in the unit %d that turns by %d turns by %d pixels", (deltaMode, deltaY, delta_y) => {
  expect(wheelMessage({ ...at, deltaX: 0, deltaY, deltaMode }, shown)).toMatchObject({ delta_x: 0, delta_y });
});

test("a key is named as it is, and what an input method is writing is none", () => {
  const key = { ...noModifiers, key: "Enter", code: "Enter", repeat: false, isComposing: false };
  expect(keyMessage(key, "down")).toMatchObject({ type: "key", action: "down", key: "Enter", modifiers: 0 });
  for (const name of ["Dead", "Process", "Unidentified"])
    expect(keyMessage({ ...key, key: name }, "down")).toBeUndefined();
  expect(keyMessage({ ...key, isComposing: true }, "down")).toBeUndefined();
});

test("fingers keep their numbers, at most ten of them", () => {
  const fingers = Array.from({ length: 12 }, (_, identifier) => ({ ...at, identifier: identifier - 3 }));
  const message = touchMessage(fingers, "move", shown);
  expect(message).toMatchObject({ type: "touch", action: "move" });
  expect("points" in message && message.points).toHaveLength(10);
  expect(touchMessage([], "end", shown)).toEqual({ type: "touch", action: "end", points: [] });
});
