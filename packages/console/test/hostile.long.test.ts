import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, startConsole, type ConsoleFixture } from "./console-fixture.ts";

/** What a page would have to be shown as to run, load or draw something in the console. */
const attacks = [
  `<img src=x onerror="window.attacked = 1">`,
  `<script>window.attacked = 1</script>`,
  `<svg onload="window.attacked = 1"></svg>`,
  `<a href="javascript:window.attacked=1">run</a>`,
  `<iframe srcdoc="<script>parent.attacked = 1</script>"></iframe>`,
  `<style>body{display:none}</style>`,
  `<form action=https://evil.example><input name=key></form>`,
  `[x](javascript:window.attacked=1)`,
  `![x](https://evil.example/pixel.png)`,
  `<math><mtext><table><mglyph><style><img src=x onerror="window.attacked=1">`,
];
const text = attacks.join("\n\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const title = "&lt;img src=x onerror='window.attacked = 1'&gt;";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole(
    () => `<!doctype html><title>${title}</title><h1>${title}</h1><pre>${text}</pre><p>${text}</p>`,
  );
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

test("nothing that a page says is run, loaded or drawn as HTML", async () => {
  const { page, faults } = await fixture.signIn();
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await openSession(page, fixture.site, "<img src=x onerror='window.attacked = 1'>");
  await page.getByRole("tab", { name: "Content" }).click();
  await page.getByRole("button", { name: "Read the page" }).click();
  const markdown = page.locator(".markdown");
  await markdown.locator("h1").waitFor();
  expect(await markdown.locator("img, script, svg, iframe, style, form, input, [href^=javascript]").count()).toBe(0);
  for (const tab of ["Markdown", "Images", "Data"]) await page.getByRole("tab", { name: tab, exact: true }).click();
  await page.getByRole("link", { name: "Sessions", exact: true }).first().click();
  await page.getByRole("table").waitFor();
  expect(await page.evaluate(() => Reflect.get(globalThis, "attacked"))).toBeUndefined();
  expect(urls.filter((url) => new URL(url).origin !== fixture.service.url)).toEqual([]);
  expect(faults).toEqual([]);
});

test("nothing of a dropped report is drawn as HTML, and what is none says what to do", async () => {
  const { page, faults } = await fixture.signIn();
  await page.getByRole("link", { name: "Reports" }).click();
  const [attack = ""] = attacks;
  const counts = { pass: 1, fail: 1, error: 0, skip: 0 };
  const report = {
    verdict: "not-conforming",
    sentence: attack,
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 5,
    target: { name: attack, baseUrl: attack },
    suite: { version: attack },
    summary: { checks: counts, requirements: counts, exchanges: 1 },
    checks: [
      {
        id: attack,
        title: attack,
        status: "fail",
        level: "stated",
        requirements: [attack],
        findings: [{ where: attack, expected: attack, received: attack }],
      },
    ],
  };
  const drop = async (body: string): Promise<void> =>
    page
      .locator("input[type=file]")
      .setInputFiles({ name: "report.json", mimeType: "application/json", buffer: Buffer.from(body) });
  await drop(JSON.stringify(report));
  await page.getByText("not-conforming").waitFor();
  expect(await page.locator("main img").count()).toBe(0);
  expect(await page.evaluate(() => Reflect.get(globalThis, "attacked"))).toBeUndefined();
  for (const wrong of ["", "{}", "null", '{"verdict": "conforming"}', "[1]"]) {
    await drop(wrong);
    await page.getByRole("alert").getByText("report.json").waitFor();
  }
  expect(faults).toEqual([]);
});

test("a key is kept in the tab alone, and forgotten when it is refused", async () => {
  const { page } = await fixture.signIn();
  const stores = await page.evaluate(() => [JSON.stringify(localStorage), document.cookie, location.href]);
  expect(stores.join(" ")).not.toContain(fixture.service.apiKey);
  await page.evaluate(() => sessionStorage.setItem("cloud-browser-key", "another"));
  await page.reload();
  await page.getByRole("heading", { name: "Cloud browser" }).waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});
