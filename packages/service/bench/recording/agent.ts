import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";

/** What sessions do. */
export type Pace = "still" | "agent" | "moving";

const text = "What a page says that an agent reads: a sentence of some length, and another one after it. ".repeat(12);
const spinner = `<style>@keyframes turn { to { rotate: 1turn } } i { display: block; width: 60px; height: 60px; border: 8px solid #09c;
  border-top-color: #fff; border-radius: 50%; animation: turn 1s linear infinite }</style><i></i>`;

/** A page with text, a form, and something that turns when it is `moving`. */
export function pageOf(pace: Pace): string {
  const paragraphs = Array.from({ length: 30 }, (_, index) => `<h2>Part ${index}</h2><p>${text}</p>`).join("");
  return `<!doctype html><title>Page</title><style>body { font: 16px sans-serif; margin: 2em }</style>${pace === "moving" ? spinner : ""}
    <form onsubmit="return false"><input id="name"><button id="send" onclick="document.body.style.background =
    'hsl(' + Math.random() * 360 + ' 80% 80%)'">Send</button></form>${paragraphs}`;
}

/** One round of an agent: about ten seconds, most of them thinking. Tells of each action, and how long after it a click was done. */
export async function round(
  page: Page,
  url: string,
  acts: () => void,
  clicked: (fromMs: number, doneMs: number) => void,
): Promise<void> {
  const act = async (action: () => Promise<unknown>): Promise<void> => {
    acts();
    await action();
  };
  await act(() => page.goto(url));
  await sleep(3_000);
  await page.locator("body").ariaSnapshot();
  await act(() => page.mouse.wheel(0, 400));
  await sleep(3_000);
  await act(() => page.mouse.wheel(0, -400));
  await act(() => page.fill("#name", `someone ${Date.now()}`));
  const fromMs = performance.now();
  await act(() => page.click("#send"));
  clicked(fromMs, performance.now());
  await sleep(3_000);
}
