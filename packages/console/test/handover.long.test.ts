import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { chromium, type Page } from "playwright-core";
import { expect, test } from "vitest";
import { startConsole } from "./console-fixture.ts";

/** A site that shows its shop to who has logged in. */
const login = `<!doctype html><html lang="en"><title>Log in</title><body style="margin:0;font:20px system-ui">
<h1 style="position:absolute;top:160px">Log in</h1>
<input aria-label="User" style="position:absolute;left:0;top:0;width:400px;height:60px;font:inherit">
<button style="position:absolute;left:0;top:80px;width:400px;height:60px" onclick="document.cookie='session=abcdef0123456789; path=/; max-age=9000'; location='/shop'">Log in</button>`;
const shop = `<!doctype html><html lang="en"><title>Tea shop</title><h1>Tea shop</h1><p>You are logged in.</p>`;

/** Starts the site; it answers by the cookie. */
async function startSite() {
  const server = createServer(({ headers }, response) => {
    response.setHeader("content-type", "text/html").end(headers.cookie?.includes("session=") ? shop : login);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/`,
    [Symbol.dispose]: () => void server.close(),
  };
}

/** Clicks at a place of the page that is shown live, given in shares of its width and height. */
async function clickLive(page: Page, x: number, y: number): Promise<void> {
  const screen = page.getByRole("img", { name: "The page of the session, live" });
  const box = await screen.boundingBox();
  await screen.click({ position: { x: (box?.width ?? 0) * x, y: (box?.height ?? 0) * y } });
}

test("somebody takes over at a login, keeps it in a profile, and answers a program that asks for them", async () => {
  using site = await startSite();
  await using fixture = await startConsole(() => shop, {
    profiles: { keys: randomBytes(32).toString("base64") },
  });
  const { service } = fixture;
  const { page, faults } = await fixture.signIn();
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  };

  // A session with a new profile meets a login; a person takes over, and logs in.
  await page.getByRole("button", { name: "Open a session" }).click();
  await page.getByLabel("Address").fill(site.url);
  await page.getByLabel("Profile: the logins").fill("shop");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: "Log in", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Take control" }).click();
  await page.getByText("You have the control").waitFor();
  await expect
    .poll(async () => {
      await clickLive(page, 0.1, 0.15);
      return page.getByRole("heading", { level: 1 }).innerText();
    })
    .toBe("Tea shop");
  await page.getByRole("button", { name: "Give it back" }).click();
  await page.getByText("Programs and automations go on").waitFor();
  await page.locator(".timeline").getByText("clicked button “Log in”").first().waitFor();
  await page.getByRole("button", { name: /^End the session/ }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await page.getByText("profile shop (saved)").waitFor();

  // Another session begins with that login.
  await page.getByRole("link", { name: "Profiles" }).click();
  await page.getByRole("heading", { name: "shop" }).waitFor();
  await page.getByText("127.0.0.1").first().waitFor();
  await page.getByRole("link", { name: "Sessions", exact: true }).first().click();
  await page.getByRole("button", { name: "Open a session" }).click();
  await page.getByLabel("Address").fill(site.url);
  await page.getByLabel("Profile: the logins").fill("shop");
  await page.getByLabel("Write the profile back").uncheck();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: "Tea shop", level: 1 }).waitFor();
  const id = decodeURIComponent(new URL(page.url()).hash.split("/")[2] ?? "");

  // A program in it asks for a person, who is told of it everywhere, and answers.
  const { cdp_url }: { cdp_url?: string } = Object(await ask("GET", `/control/sessions/${id}`));
  const program = await chromium.connectOverCDP(cdp_url ?? "");
  const answer = ask("POST", `/control/sessions/${id}/handover`, { message: "Which tea, please?", wait_s: 120 });
  await page.getByText("Which tea, please?").waitFor();
  await expect.poll(() => page.title()).toBe("(1) Cloud browser");
  await page.getByRole("link", { name: /^Requests/ }).click();
  await page.getByRole("heading", { name: "Requests for a person" }).waitFor();
  await page.getByLabel("What the program should know").fill("the green one");
  await page.getByRole("button", { name: "Done" }).click();
  expect(await answer).toMatchObject({ answer: "done", note: "the green one" });
  await expect.poll(() => page.title()).toBe("Cloud browser");
  await program
    .contexts()[0]
    ?.pages()[0]
    ?.evaluate(() => console.log("a word of the page"));
  await program.close();
  await page.getByRole("cell", { name: "the green one" }).waitFor();

  // What happened is beside its replay, and a row leads to its moment.
  await page.goto(`${service.url}#/sessions/${id}/messages`);
  await page.getByText("a word of the page").waitFor();
  await page.getByRole("button", { name: /^End the session/ }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await page.goto(`${service.url}#/sessions/${id}/replay`);
  const video = page.locator("video");
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState)).toBeGreaterThan(0);
  const row = page.locator(".timeline").getByRole("button", { name: /the session ended/ });
  await row.click();
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0);
  await page.locator(".timeline [aria-current]").waitFor();
  for (const [name, begin] of [
    ["As Markdown", "#"],
    ["As JSON", "{"],
  ] as const) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    const text = await readFile(await file.path(), "utf8");
    expect(text.startsWith(begin)).toBe(true);
    expect(text).toContain("Which tea, please?");
    expect(text).not.toContain("abcdef0123456789");
  }
  expect(faults).toEqual([]);
});

test("a run that asks for a person is answered where its events are seen", async () => {
  await using fixture = await startConsole(
    () =>
      `<title>Bank</title><h1>Log in</h1><form><label>User <input name=user></label><label>Password <input type=password></label><button>Log in</button></form>`,
    { runLimits: { askMs: 600_000 } },
  );
  const { page, faults } = await fixture.signIn();
  await page.getByRole("link", { name: "Automations" }).click();
  await page.getByLabel("What should be done?").fill(`open ${fixture.site} and extract the table`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("A program asks for you").waitFor();
  expect(await page.getByRole("link", { name: "Take over its session" }).getAttribute("href")).toMatch(
    /^#\/sessions\/.+\/live$/,
  );
  await page.getByLabel("What the program should know").fill("not today");
  await page.getByRole("button", { name: "Decline" }).click();
  await page.locator(".notice.bad").getByText("not today").waitFor();
  expect(await page.getByText("A program asks for you").count()).toBe(0);
  expect(faults).toEqual([]);
});

test("what changes is told to the page, which then asks for nothing by itself", async () => {
  await using fixture = await startConsole(() => shop);
  const { page, faults } = await fixture.signIn();
  await page.clock.install();
  const stream = page.waitForResponse((response) => response.url().includes("/control/changes"));
  await page.reload();
  await stream;
  await page.getByText("No sessions yet").waitFor();
  // From now on no timer of the page ends: it can't ask again.
  await page.clock.pauseAt(Date.now() + 5_000);
  const { session_id } = await fixture.service.open({ url: fixture.site });
  await page
    .getByRole("link", { name: /Tea shop/ })
    .first()
    .waitFor();
  await fixture.service.end(session_id);
  await page.getByText("None is open").waitFor();
  expect(faults).toEqual([]);
});
