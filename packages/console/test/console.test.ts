import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openSession, startConsole } from "./console-fixture.ts";

const dist = new URL("../dist/", import.meta.url);
const html = `<!doctype html><title>Shop</title><body style="margin:0"><input id=i style="position:absolute;left:0;top:0;width:300px;height:100px">
<script>i.oninput = () => (document.title = "typed " + i.value)</script>`;

test("the first load is a page, a script and a style of at most 120 kB together", () => {
  const page = readFileSync(new URL("index.html", dist), "utf8");
  const files = [...page.matchAll(/(?:src|href)="\/console\/(.+?)"/g)].map(([, name = ""]) => name);
  const sizes = [page, ...files.map((name) => readFileSync(new URL(name, dist)))].map((file) => gzipSync(file).length);
  expect(files.length).toBeLessThanOrEqual(4);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000);
  expect(readdirSync(new URL("assets/", dist)).filter((name) => name.endsWith(".js")).length).toBeGreaterThan(1);
});

test("somebody signs in, opens a session, takes it over, types, gives it back and ends it", async () => {
  await using fixture = await startConsole(() => html);
  const { page, faults } = await fixture.signIn();
  await page.getByText("No sessions yet").waitFor();
  await openSession(page, fixture.site, "Shop");
  const screen = page.getByRole("img", { name: "The page of the session, live" });
  await screen.waitFor();
  await page.getByRole("button", { name: "Take control" }).click();
  await page.getByText("You have the control").waitFor();
  await expect
    .poll(async () => {
      await screen.click({ position: { x: 20, y: 20 } });
      await page.keyboard.type("a");
      return page.getByRole("heading", { level: 1 }).innerText();
    })
    .toMatch(/^typed a+$/);
  await page.keyboard.press("Escape");
  await page.getByText("You are watching").waitFor();
  await page.getByRole("button", { name: /^End the session/ }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await page.getByRole("tab", { name: "Replay" }).waitFor();
  expect(faults).toEqual([]);
});
