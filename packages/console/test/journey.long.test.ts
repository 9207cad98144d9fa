import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openSession, startConsole } from "./console-fixture.ts";

const shop = `<!doctype html><html lang="en"><title>Tea shop</title>
<style>body{font:18px system-ui;margin:0;background:#f7f4ee;color:#222}header{background:#2f6f4f;color:#fff;padding:20px 40px}
main{padding:20px 40px;display:grid;grid-template-columns:repeat(3,1fr);gap:20px}article{background:#fff;padding:20px;border-radius:8px}
label{display:block;margin:20px 40px}input{font:inherit;padding:8px;width:300px}</style>
<header><h1>Tea shop</h1></header><img src="/tea.gif" alt="Tea leaves" style="position:absolute;right:0;top:0" width=60 height=60><label>Search <input name="q"></label>
<main><article><h2>Green tea</h2><p>4.20 EUR</p></article><article><h2>Black tea</h2><p>3.80 EUR</p></article><article><h2>Mint tea</h2><p>3.10 EUR</p></article></main>
<script>document.cookie = "basket=3; path=/; max-age=9000"; document.cookie = "session=secret-of-the-shop; path=/"; document.querySelector("input").oninput = (event) => (document.title = "Tea shop: " + event.target.value)</script>`;

const pictures = new URL("../../service/pictures/", import.meta.url);

/** Takes a picture for the README, when it is asked for: `UPDATE=1`. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env["UPDATE"] === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, pictures)) });
}

test("a session from its opening to the download of its replay, and an automation to a function that is run again", async () => {
  await using fixture = await startConsole((path) => (path === "/tea.gif" ? "GIF89a\u0001\0\u0001\0\0\0\0;" : shop));
  const { page, faults } = await fixture.signIn();
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: async () => {} } }));

  await openSession(page, fixture.site, "Tea shop");
  const screen = page.getByRole("img", { name: "The page of the session, live" });
  await page.getByRole("button", { name: "Take control" }).click();
  await page.getByText("You have the control").waitFor();
  await expect
    .poll(async () => {
      const box = await screen.boundingBox();
      await screen.click({ position: { x: (box?.width ?? 0) * 0.15, y: (box?.height ?? 0) * 0.21 } });
      await page.keyboard.type("t");
      return page.getByRole("heading", { level: 1 }).innerText();
    })
    .toMatch(/^Tea shop: t+$/);
  await picture(page, "live-view");
  await page.keyboard.press("Escape");

  await page.getByRole("tab", { name: "Content" }).click();
  await page.getByRole("button", { name: "Read the page" }).click();
  await page.locator(".markdown").getByRole("heading", { name: "Green tea" }).waitFor();
  await picture(page, "content");
  await page.getByRole("tab", { name: "Markdown" }).click();
  await page.getByText("## Green tea").waitFor();
  await page.getByRole("tab", { name: "Images" }).click();
  await page.locator(".image-thumbnail img[src^='blob:']").waitFor();

  await page.getByRole("tab", { name: "Cookies" }).click();
  await page.getByRole("cell", { name: "basket", exact: true }).waitFor();
  expect(await page.locator("main").innerText()).not.toContain("secret-of-the-shop");
  await page.getByRole("button", { name: "Show the value of session" }).click();
  await page.getByText("secret-of-the-shop").waitFor();
  for (const form of ["playwright", "puppeteer", "cookies-txt", "tough-cookie", "header"]) {
    await page.getByLabel("Form").selectOption(form);
    await page.getByLabel("Exported cookies").getByText("secret-of-the-shop").waitFor();
  }

  await page.getByRole("tab", { name: "Connect" }).click();
  await page.getByText("connectOverCDP").first().waitFor();
  await page.getByRole("link", { name: "Sessions", exact: true }).first().click();
  await page.getByRole("heading", { name: "Open 1" }).waitFor();
  await expect.poll(() => page.locator(".thumbnail span").count()).toBe(0);
  await picture(page, "sessions");
  await page.getByRole("button", { name: /^End the session/ }).click();
  await page.getByRole("button", { name: "End it" }).click();

  await page.getByRole("link", { name: "play" }).click();
  const video = page.locator("video");
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState)).toBeGreaterThan(1);
  expect(await video.evaluate((element: HTMLVideoElement) => element.duration)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "4×" }).click();
  expect(await video.evaluate((element: HTMLVideoElement) => element.playbackRate)).toBe(4);
  const [mp4] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download MP4" }).click(),
  ]);
  expect((await readFile(await mp4.path())).subarray(4, 8).toString()).toBe("ftyp");
  const [playlist] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download playlist" }).click(),
  ]);
  expect((await readFile(await playlist.path(), "utf8")).startsWith("#EXTM3U")).toBe(true);
  await picture(page, "replay");

  await page.getByRole("link", { name: "Automations" }).click();
  await page
    .getByLabel("What should be done?")
    .fill(`open ${fixture.site}, type "mint" into Search and read the headings`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".notice.good").getByText("done").waitFor();
  await page.getByRole("link", { name: "Its function" }).waitFor();
  await picture(page, "automation");
  await page.getByRole("link", { name: "Its function" }).click();
  await page.getByRole("heading", { name: "Source" }).waitFor();
  await page.getByRole("button", { name: /^Run it/ }).click();
  await page.locator(".notice.good").getByText("done").waitFor();
  await page.getByRole("link", { name: "Automations" }).first().click();
  await expect.poll(() => page.getByRole("table").getByText("done").count()).toBe(2);

  expect(faults).toEqual([]);
});
