/** Measures the processor time of pages whose acts are told, beside pages whose are not, of one browser. Run: node --conditions=@cloud-browser/source bench/watched-pages.ts [times] */
import type { Page } from "playwright-core";
import { median } from "@cloud-browser/testing/median.ts";
import { diffUsage, ProcessTree, sumUsage } from "@cloud-browser/testing/process-tree.ts";
import { startSite } from "@cloud-browser/testing/site.ts";
import { BrowserPool } from "../src/index.ts";

const times = Number(process.argv[2] ?? 10);

await using closing = new AsyncDisposableStack();
const site = await startSite({
  "/animated": `<style>@keyframes turn { to { transform: rotate(1turn) } } div { width: 80px; height: 80px; background: red; animation: turn 1s linear infinite }</style>
    <div></div><canvas></canvas><script>const draw = (ms) => { const c = document.querySelector("canvas").getContext("2d"); c.clearRect(0, 0, 300, 150); c.fillRect(ms / 10 % 300, 20, 40, 40); requestAnimationFrame(draw); }; draw(0)</script>`,
  "/form": `<form>${'<p><label>Field <input name="a"></label> <button type="button">Press</button></p>'.repeat(30)}</form>`,
});
closing.defer(() => site[Symbol.asyncDispose]());
const pool = await BrowserPool.start();
closing.defer(() => pool.close());
const tree = new ProcessTree();

/** Measures the seconds of a processor that something takes on a page of its own, with all processes of the browser. */
async function measureSeconds(
  isWatched: boolean,
  path: string,
  work: (page: Page) => Promise<unknown>,
): Promise<number> {
  const pooled = await pool.open();
  if (isWatched) pooled.watchPages(() => undefined);
  const page = await pooled.context.newPage();
  await page.goto(site.url + path);
  const before = tree.sample();
  await work(page);
  const after = tree.sample();
  await pooled.close();
  return sumUsage(diffUsage(before, after));
}

const works: Readonly<Record<string, readonly [path: string, work: (page: Page) => Promise<unknown>]>> = {
  "four seconds of an animated page": ["/animated", (page) => page.waitForTimeout(4_000)],
  "520 keys typed into 20 fields": [
    "/form",
    async (page) => {
      for (let field = 0; field < 20; field += 1)
        await page.locator("input").nth(field).pressSequentially("what is typed in it, yes. ");
    },
  ],
  "100 clicks": [
    "/form",
    async (page) => {
      for (let count = 0; count < 100; count += 1)
        await page
          .locator("button")
          .nth(count % 30)
          .click();
    },
  ],
  "20 documents opened": [
    "/form",
    async (page) => {
      for (let count = 0; count < 20; count += 1) await page.goto(`${site.url}/form?${count}`);
    },
  ],
};

console.log(`Medians of ${times} times, alternating.\n\n| what | processor ms | watched | ratio |\n|---|---|---|---|`);
for (const [what, [path, work]] of Object.entries(works)) {
  const plain: number[] = [];
  const watched: number[] = [];
  for (let time = 0; time <= times; time += 1) {
    const isFirst = time % 2 === 0;
    for (const isWatched of [isFirst, !isFirst]) {
      const seconds = await measureSeconds(isWatched, path, work);
      if (time > 0) (isWatched ? watched : plain).push(seconds * 1_000);
    }
  }
  const [one, other] = [median(plain), median(watched)];
  console.log(`| ${what} | ${one.toFixed(0)} | ${other.toFixed(0)} | ${(other / one).toFixed(2)} |`);
}
