import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, startConsole, type ConsoleFixture } from "./console-fixture.ts";

const html = `<!doctype html><title>Shop</title><h1>Shop</h1><p>Tea and coffee</p><script>document.cookie = "basket=3"</script>`;

let fixture: ConsoleFixture;
/** Every place of the console, with something in it. */
let places: readonly string[];
beforeAll(async () => {
  fixture = await startConsole(() => html);
  const { page } = await fixture.signIn();
  await openSession(page, fixture.site, "Shop");
  const open = new URL(page.url()).hash;
  await page.goto(`${fixture.service.url}#/automations`);
  await page.getByLabel("What should be done?").fill(`open ${fixture.site} and read the heading`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("done", { exact: true }).first().waitFor();
  const run = new URL(page.url()).hash;
  await page.getByRole("link", { name: "Its session" }).click();
  await page.locator("video").waitFor();
  const endedSession = new URL(page.url()).hash;
  await page.getByRole("link", { name: "Functions" }).click();
  await page.getByRole("table").getByRole("link").first().click();
  await page.getByRole("heading", { name: "Source" }).waitFor();
  const madeFunction = new URL(page.url()).hash;
  const tabs = ["content", "cookies", "connect"].map((tab) => `${open}/${tab}`);
  places = [
    "#/",
    open,
    ...tabs,
    endedSession,
    "#/automations",
    run,
    "#/functions",
    madeFunction,
    "#/reports",
    "#/nowhere",
  ];
  await page.context().close();
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

/** Shows a place, and waits until nothing of it is on its way. */
async function show(page: Page, place: string): Promise<void> {
  await page.goto(`${fixture.service.url}${place}`);
  await page.locator("h1, .empty").first().waitFor();
  await expect.poll(() => page.locator(".loading").count()).toBe(0);
}

test.each(["light", "dark"] as const)("axe finds nothing in any place: %s", async (colorScheme) => {
  const { page } = await fixture.signIn({ colorScheme, reducedMotion: "reduce" });
  const findings: string[] = [];
  for (const place of places) {
    await show(page, place);
    // The policy of the page lets no script in: this one comes by the debugger.
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    for (const { id, nodes } of violations) findings.push(`${place} ${id}: ${nodes[0]?.html.slice(0, 160) ?? ""}`);
  }
  expect(findings).toEqual([]);
  await page.context().close();
});

test.each([
  [360, 740],
  [768, 1024],
  [3840, 2160],
])("no place is wider than a screen of %d pixels", async (width, height) => {
  const { page } = await fixture.signIn({ viewport: { width, height } });
  for (const place of places) {
    await show(page, place);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect({ place, isWider: wide > width }).toEqual({ place, isWider: false });
  }
  await page.context().close();
});

test("a session is opened, taken over, given back and ended with the keyboard alone", async () => {
  const { page } = await fixture.signIn();
  const focus = async (name: string): Promise<void> => {
    for (let at = 0; at < 60; at += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
      });
      if (focused === name) return;
    }
    throw new Error(`${name} is not reached by Tab`);
  };
  await focus("Open a session");
  await page.keyboard.press("Enter");
  await page.locator("input[name=url]:focus").waitFor();
  await page.keyboard.type(fixture.site);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  await focus("Take control");
  await page.keyboard.press("Enter");
  await page.getByText("You have the control").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("You are watching").waitFor();
  await focus("Live");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Content", selected: true }).waitFor();
  await page.keyboard.press("End");
  await page.getByRole("tab", { name: "Connect", selected: true }).waitFor();
  expect(await page.getByText("connectOverCDP").first().isVisible()).toBe(true);
  await page.context().close();
});
