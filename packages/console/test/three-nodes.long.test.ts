import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { chromium, type Browser, type Page } from "playwright-core";
import { findChromium } from "../../browsers/src/chromium/chromium-binary.ts";
import { startSite, type Site } from "../../../testing/src/site.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionView } from "../../service/src/control/session-view.ts";
import { ask, key } from "../../service/test/command-line.ts";
import { openOn, startCluster, type TestCluster, type TestNode } from "../../service/test/cluster/cluster.ts";

let cluster: TestCluster;
let site: Site;
let browser: Browser;

const login = `<!doctype html><title>Log in</title><body style="margin:0;font:20px system-ui">
<button style="position:absolute;left:0;top:80px;width:400px;height:60px" onclick="document.cookie='session=abcdef0123456789; path=/; max-age=9000'; location='/'">Log in</button>
<form style="position:absolute;top:200px"><label>User <input name=user></label><label>Password <input type=password></label></form>`;
const account = "<title>Account</title><h1>Account</h1><table><tr><th>Item</th></tr><tr><td>Tea</td></tr></table>";

beforeAll(async () => {
  site = await startSite({
    "/": ({ headers }, response) =>
      void response
        .setHeader("content-type", "text/html")
        .end(headers.cookie?.includes("session=abc") ? account : login),
    "/plain": "<title>Plain</title>plain",
  });
  cluster = await startCluster(0);
  const profileKey = randomBytes(32).toString("base64");
  for (let node = 0; node < 3; node += 1)
    await cluster.add({ args: ["--run-ask-person", "600"], env: { CLOUD_BROWSER_PROFILE_KEY: profileKey } });
  const { executable, env } = await findChromium();
  const args = ["--no-sandbox", "--disable-gpu"];
  browser = await chromium.launch({ executablePath: executable, args, env: { ...process.env, ...env } });
});
afterAll(async () => {
  await browser?.close();
  await cluster?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

function nodes(): readonly [entry: TestNode, owner: TestNode, other: TestNode] {
  const [entry, owner, other] = cluster.nodes;
  if (!entry || !owner || !other) throw new Error("there are no nodes");
  return [entry, owner, other];
}

/** Opens the console of a node, signed in. */
async function openConsole({ served }: TestNode): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1360, height: 850 } })).newPage();
  await page.goto(served.url);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Sessions", exact: true }).waitFor();
  return page;
}

/** Takes over the session that is shown, and clicks its button until it is logged in. */
async function logIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Take control" }).click();
  await page.getByText("You have the control").waitFor();
  const screen = page.getByRole("img", { name: "The page of the session, live" });
  await expect
    .poll(async () => {
      const box = await screen.boundingBox();
      await screen.click({ position: { x: (box?.width ?? 0) * 0.1, y: (box?.height ?? 0) * 0.15 } });
      return page
        .getByLabel("Address")
        .inputValue()
        .then(() => page.getByRole("heading", { level: 1 }).innerText());
    })
    .toBe("Account");
}

test("a change on another node is told to who follows changes by this one", async () => {
  const [entry, owner] = nodes();
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${entry.served.url}/control/changes`, { headers, signal: leaving.signal });
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const waitForChange = async (kind: string): Promise<void> => {
    for (;;) {
      const { done, value = "" } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error("the stream has ended");
      if (value.includes(`"${kind}"`) && !value.includes('"sessions","runs","handovers"')) return;
    }
  };
  // Until the other nodes are followed each tells everything once.
  const { session_id: first } = await openOn(owner, `${site.url}/plain`);
  await waitForChange("sessions");
  const handovers = waitForChange("handovers");
  await ask(owner.served, "POST", `/control/sessions/${first}/handover`, { message: "look" });
  await handovers;
  await ask(entry.served, "DELETE", `/control/sessions/${first}`);
  leaving.abort();
});

test("somebody logs in, keeps it in a profile, runs a task that asks for them, and plays its replay, by any node", async () => {
  const [entry, owner, other] = nodes();
  const page = await openConsole(entry);
  // A session of another node: it appears by itself.
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const creation = await fetch(`${owner.served.url}/control/sessions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ url: site.url, profile: { name: "shop" } }),
  });
  const { session_id: id }: SessionView = await creation.json();
  await page
    .getByRole("link", { name: /Log in/ })
    .first()
    .click();
  await logIn(page);
  await page.getByRole("button", { name: "Give it back" }).click();
  await page.getByText("Programs and automations go on").waitFor();
  await page.getByRole("button", { name: /^End the session/ }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await page.getByText("profile shop (saved)").waitFor();

  // The profile logs another session in, on whichever node.
  const second = await fetch(`${other.served.url}/control/sessions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ url: site.url, profile: { name: "shop", mode: "read" } }),
  });
  expect(second.status).toBe(201);
  await page.getByRole("link", { name: "Sessions", exact: true }).first().click();
  await page.locator(".card").getByText("Account").waitFor();

  // A run asks for a person, who answers where it is seen.
  await page.getByRole("link", { name: "Automations" }).click();
  await page.getByLabel("What should be done?").fill(`open ${site.url} and extract the table`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("A program asks for you").waitFor();
  const run = page.url();
  await page.getByRole("link", { name: "Take over its session" }).click();
  await logIn(page);
  await page.getByRole("button", { name: "Done" }).click();
  await page.goto(run);
  await page.locator(".notice.good").getByText("done").waitFor();
  await page.getByText("Tea").first().waitFor();

  // The replay of the first one plays through a node that did not have it.
  const elsewhere = await openConsole(other);
  await elsewhere.goto(`${other.served.url}/#/sessions/${id}/replay`);
  const video = elsewhere.locator("video");
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState), { timeout: 60_000 })
    .toBeGreaterThan(0);
  await elsewhere
    .locator(".timeline")
    .getByRole("button", { name: /took the control/ })
    .click();
  await expect.poll(() => elsewhere.locator(".timeline [aria-current]").count()).toBe(1);
});

test("a session whose node dies is told to who watches it, and the list goes on by the other nodes", async () => {
  const [entry, owner] = nodes();
  const { session_id: id } = await openOn(owner, `${site.url}/plain`);
  const page = await openConsole(entry);
  await page.goto(`${entry.served.url}/#/sessions/${id}/live`);
  await page.getByText("You are watching").waitFor();
  const { process: child } = owner.served;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
  await page.getByText("ended", { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByRole("link", { name: "Sessions", exact: true }).first().click();
  await page.getByText("its node was lost").first().waitFor();
  expect(await page.getByRole("heading", { name: "Sessions", exact: true }).count()).toBe(1);
});
