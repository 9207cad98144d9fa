import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";

/** When an action began and when it was done, on the clock of `performance.now()`. */
export type Told = (what: "goto" | "click" | "snapshot", fromMs: number, doneMs: number) => void;

/** How long an agent thinks after an action, in milliseconds. */
const thinkMs = 3_000;

/** One round of an agent: a page, a look, a scroll, a form, a click, and three seconds of thinking after each. */
export async function round(page: Page, url: string, onActivity: () => void, told: Told): Promise<void> {
  const act = async <T>(action: () => Promise<T>): Promise<T> => {
    onActivity();
    return action();
  };
  const timed = async (what: Parameters<Told>[0], action: () => Promise<unknown>): Promise<void> => {
    const fromMs = performance.now();
    await act(action);
    told(what, fromMs, performance.now());
  };
  await timed("goto", () => page.goto(url));
  await sleep(thinkMs);
  await timed("snapshot", () => page.locator("body").ariaSnapshot());
  await act(() => page.mouse.wheel(0, 600));
  await sleep(thinkMs);
  await act(() => page.fill("#name", `someone ${Date.now()}`));
  await act(() => page.fill("#mail", "someone@site.example"));
  await timed("click", () => page.click("#send"));
  await sleep(thinkMs);
}
