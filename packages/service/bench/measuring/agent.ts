import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";

/** When an action began and when it was done, on the clock of `performance.now()`. */
export type OnAction = (what: "goto" | "click" | "snapshot", fromMs: number, doneMs: number) => void;

/** How long an agent thinks after an action, in milliseconds. */
const thinkMs = 3_000;

/** Plays one round of an agent: a page, a look, a scroll, a form, a click, and three seconds of thinking after each. */
export async function playRound(page: Page, url: string, onActivity: () => void, onAction: OnAction): Promise<void> {
  const act = async <T>(action: () => Promise<T>): Promise<T> => {
    onActivity();
    return action();
  };
  const timeAction = async (what: Parameters<OnAction>[0], action: () => Promise<unknown>): Promise<void> => {
    const fromMs = performance.now();
    await act(action);
    onAction(what, fromMs, performance.now());
  };
  await timeAction("goto", () => page.goto(url));
  await sleep(thinkMs);
  await timeAction("snapshot", () => page.locator("body").ariaSnapshot());
  await act(() => page.mouse.wheel(0, 600));
  await sleep(thinkMs);
  await act(() => page.fill("#name", `someone ${Date.now()}`));
  await act(() => page.fill("#mail", "someone@site.example"));
  await timeAction("click", () => page.click("#send"));
  await sleep(thinkMs);
}
