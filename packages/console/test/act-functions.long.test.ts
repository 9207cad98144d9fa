import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { openSession, startConsole, type ConsoleFixture } from "./console-fixture.ts";

const parts = `<!doctype html><html lang="en"><title>Tea shop</title><body style="margin:0;font:20px system-ui">
<button style="position:absolute;left:0;top:0;width:1280px;height:200px" onclick="fetch('/told-order')">Order</button>
<label style="position:absolute;left:0;top:220px">Note <input style="width:1000px;height:160px" onchange="fetch('/told-note-' + value)"></label>
<canvas style="position:absolute;left:0;top:420px;background:teal" width="1280" height="200"></canvas>`;
const upload = `<!doctype html><html lang="en"><title>Upload</title><label>Attachment
<input type="file" onchange="fetch('/told-file-' + files[0].name + '-' + files[0].size)"></label>`;

let fixture: ConsoleFixture;
const actPaths: string[] = [];

beforeAll(async () => {
  fixture = await startConsole((path) => {
    if (path.startsWith("/told-")) actPaths.push(path);
    return path === "/upload" ? upload : parts;
  });
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

/** Clicks at a place of the page that is shown live, given in shares of its width and height. */
async function clickLive(page: Page, x: number, y: number): Promise<void> {
  const screen = page.getByRole("img", { name: "The page of the session, live" });
  const box = await screen.boundingBox();
  await screen.click({ position: { x: (box?.width ?? 0) * x, y: (box?.height ?? 0) * y } });
}

test("what somebody did is made a function beside its timeline, or told why not, and is run again with another value", async () => {
  const { page, faults } = await fixture.signIn();
  page.setDefaultTimeout(120_000);
  await openSession(page, fixture.site, "Tea shop");
  await page.getByRole("button", { name: "Take control" }).click();
  await page.getByText("You have the control").waitFor();
  await expect
    .poll(async () => {
      await clickLive(page, 0.5, 0.1);
      return page.locator(".timeline").getByText("clicked button “Order”").count();
    })
    .toBeGreaterThan(0);
  await expect.poll(() => actPaths.length).toBeGreaterThan(0);
  await clickLive(page, 0.3, 0.42);
  await page.keyboard.type("hot");
  await page.keyboard.press("Tab");
  await page.locator(".timeline").getByText("filled textbox “Note” with “hot”").waitFor();
  await clickLive(page, 0.5, 0.7);
  const onCanvas = page.locator(".timeline").getByText("clicked an element");
  await onCanvas.waitFor();
  await page.getByRole("button", { name: "Give it back" }).click();

  // The whole of it can't be repeated, and the entry is named.
  await page.getByRole("button", { name: "Make a function" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a function" });
  await dialog.getByRole("button", { name: "Make it" }).click();
  const alert = dialog.getByRole("alert");
  await alert.getByText("it depends on the place in a picture, a canvas or a player").waitFor();
  const [, seq = ""] = /Entry (\d+):/.exec(await alert.innerText()) ?? [];
  // Without that entry it can.
  await dialog.locator("select[name=to]").selectOption(String(Number(seq) - 1));
  await dialog.getByLabel("Name").fill("order tea");
  await dialog.getByRole("button", { name: "Make it" }).click();
  await page.getByRole("heading", { name: "order_tea" }).waitFor();
  await page.getByText('click button "Order"').first().waitFor();
  await expect
    .poll(() => page.getByLabel("Source of the function").innerText())
    .toContain('getByRole("textbox", { name: "Note"');
  actPaths.length = 0;
  await page.getByLabel("note").fill("cold");
  await page.getByRole("button", { name: "Run it with these values" }).click();
  await page.getByText("done", { exact: true }).first().waitFor();
  expect(actPaths.filter((path) => path === "/told-order").length).toBeGreaterThan(0);
  expect(actPaths).toContain("/told-note-cold");
  // Chromium tells of the refusal, too.
  expect(faults).toEqual([expect.stringContaining("409")]);
});

const file = (name: string, size: number) => ({ name, mimeType: "text/plain", buffer: Buffer.alloc(size, "x") });

test("files are given to a new run, and to a function that uploads some, small ones and large ones", async () => {
  const { page, faults } = await fixture.signIn();
  page.setDefaultTimeout(120_000);
  await page.getByRole("link", { name: "Automations" }).first().click();
  await page.getByLabel("What should be done?").fill(`open ${fixture.site}upload, upload cv.txt to Attachment`);
  await page.getByLabel(/^Files for its pages/).setInputFiles([file("cv.txt", 3)]);
  actPaths.length = 0;
  await page.getByRole("button", { name: "Run", exact: true }).click();
  // The list of runs has others that are done.
  await expect.poll(() => actPaths, { timeout: 120_000 }).toEqual(["/told-file-cv.txt-3"]);
  await page.getByText("done", { exact: true }).first().waitFor();

  await page.getByRole("link", { name: "Functions" }).first().click();
  await page
    .getByRole("link", { name: /upload/ })
    .first()
    .click();
  await page.locator('input[type="file"]').setInputFiles([file("other.txt", 2_000_000)]);
  actPaths.length = 0;
  await page.getByRole("button", { name: "Run it with these values" }).click();
  // The list of runs has others that are done.
  await expect.poll(() => actPaths, { timeout: 120_000 }).toEqual(["/told-file-other.txt-2000000"]);
  await page.getByText("done", { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
});
