import { afterAll, beforeAll, expect, test } from "vitest";
import { driveSession } from "../drive-session.ts";
import { isPicture, decodeJpeg, LiveClient } from "./live-client.ts";
import { click, LiveTest } from "./live-sessions.ts";

let place: LiveTest;
beforeAll(async () => {
  place = await LiveTest.start({ embedOrigins: ["https://app.example.com"] });
});
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
});

/** Takes the control, or gives it back. */
async function control(viewer: LiveClient, action: "take" | "release"): Promise<void> {
  viewer.send({ type: "control", action });
  const holds = action === "take";
  await viewer.next(({ type, you }) => type === "control" && you === holds);
}

const titled =
  (title: string) =>
  (message: { readonly type: string; readonly title?: unknown }): boolean =>
    message.type === "page" && message.title === title;

test("pictures come, a slow viewer gets none before it acknowledges, and keeps no other from the next one", async () => {
  await using live = await place.open();
  const { steer } = live;
  const slow = await LiveClient.open(live.watchUrl, false);
  const first = await slow.next(isPicture);
  expect(first).toMatchObject({ picture: 1, width: 1280 });
  await steer.next(isPicture);
  await control(steer, "take");
  for (let times = 1; times <= 3; times += 1) {
    const before = steer.pictures;
    for (const input of click(50, 50)) steer.send(input);
    await steer.next(titled(`clicks ${times} text`));
    await expect.poll(() => steer.pictures).toBeGreaterThan(before);
  }
  await slow.settled();
  expect(slow.pictures).toBe(1);
  slow.send({ type: "ack", picture: 1 });
  const newest = await slow.next(isPicture);
  expect(newest).toMatchObject({ picture: 2 });
  const shown = steer.received.findLast(isPicture);
  expect(Buffer.compare(decodeJpeg(newest), decodeJpeg(shown))).toBe(0);
});

test("a still page sends nothing, however long it is drawn, and the next change is one picture", async () => {
  await using live = await place.open();
  const { browser, page } = await driveSession(live.session);
  const { steer } = live;
  await steer.next(isPicture);
  const draw = (): Promise<void> =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
  await draw();
  await steer.settled();
  const before = steer.pictures;
  for (let times = 0; times < 10; times += 1) await draw();
  await steer.settled();
  expect(steer.pictures).toBe(before);
  await page.evaluate(() => void (document.body.style.background = "green"));
  expect(await steer.next(isPicture)).toMatchObject({ picture: before + 1 });
  await browser.close();
});

test("a click passes a flood of moves, at the place and after the move before it", async () => {
  await using live = await place.open();
  const { browser, page } = await driveSession(live.session);
  const { steer } = live;
  await page.evaluate(() => void Object.assign(window, { slow: 20 }));
  await control(steer, "take");
  for (let x = 0; x < 400; x += 1) steer.send({ type: "mouse", action: "move", x, y: 20 });
  for (const input of click(60, 60)) steer.send(input);
  await steer.next(titled("clicks 1 text"));
  expect(await page.evaluate(() => Number(Object(window).movesAtClick))).toBeLessThan(40);
  await browser.close();
});

test("keys, text, address, tabs and dialogs: what is done shows, and what may not be is refused", async () => {
  await using live = await place.open();
  const { browser, page } = await driveSession(live.session);
  const { steer } = live;
  await control(steer, "take");
  for (const input of click(20, 310)) steer.send(input);
  for (const key of ["a", "B", "ß"]) {
    steer.send({ type: "key", action: "down", key });
    steer.send({ type: "key", action: "up", key });
  }
  steer.send({ type: "key", action: "down", key: "Backspace", code: "Backspace" });
  steer.send({ type: "text", text: "言葉" });
  await steer.next(titled("clicks 1 text aB言葉"));
  const pastes = [
    { key: "v", modifiers: 2 },
    { key: "V", modifiers: 4 },
    { key: "Insert", modifiers: 8 },
    { key: "Paste" },
    { key: "x", code: "KeyV", modifiers: 2 },
  ];
  for (const paste of pastes) {
    steer.send({ type: "key", action: "down", ...paste });
    expect(await steer.next(({ type }) => type === "error")).toMatchObject({ code: "refused", of: "key" });
  }
  for (const url of [
    "file:///etc/passwd",
    "javascript:1",
    "http://10.0.0.1/",
    "http://[::1]:1/?key=secret",
    "nothing",
  ]) {
    steer.send({ type: "address", url });
    const refused = await steer.next(({ type }) => type === "error");
    expect(refused).toMatchObject({ code: "refused", of: "address" });
    expect(JSON.stringify(refused)).not.toContain("secret");
  }
  steer.send({ type: "address", url: `${place.site.url}/two` });
  await steer.next(({ type, url, loading }) => type === "page" && url === `${place.site.url}/two` && loading === false);
  steer.send({ type: "history", action: "back" });
  await steer.next(({ type, url }) => type === "page" && url === `${place.site.url}/`);
  await control(steer, "release");
  await page.context().newPage();
  const two = await steer.next(({ type, tabs }) => type === "tabs" && Array.isArray(tabs) && tabs.length === 2);
  expect(two["tabs"]).toMatchObject([{ tab: "1" }, { tab: "2" }]);
  await steer.next(({ type, tab }) => type === "page" && tab === "2");
  await control(steer, "take");
  steer.send({ type: "tab", action: "choose", tab: "1" });
  await steer.next(({ type, tab }) => type === "page" && tab === "1");
  await steer.next(isPicture);
  steer.send({ type: "tab", action: "close", tab: "2" });
  await steer.next(({ type, tabs }) => type === "tabs" && Array.isArray(tabs) && tabs.length === 1);
  steer.send({ type: "tab", action: "close", tab: "1" });
  expect(await steer.next(({ type }) => type === "error")).toMatchObject({ code: "refused" });
  await browser.close();
  const answer = await driveSession(live.session);
  answer.page.on("dialog", () => {});
  const answered = answer.page.evaluate(() => prompt("Name?", "nobody"));
  await steer.next(({ type, dialog }) => type === "dialog" && Object(dialog).message === "Name?");
  steer.send({ type: "dialog", action: "accept", text: "somebody" });
  expect(await answered).toBe("somebody");
  await steer.next(({ type, dialog }) => type === "dialog" && dialog === null);
  await answer.browser.close();
});

test("a viewer gets no picture wider than it wants", async () => {
  await using live = await place.open();
  const watcher = await LiveClient.open(live.watchUrl);
  const wide = await watcher.next(isPicture);
  watcher.send({ type: "view", max_width: 400 });
  const narrow = await watcher.next(isPicture);
  expect(readWidth(decodeJpeg(wide))).toBe(1_280);
  expect(readWidth(decodeJpeg(narrow))).toBe(320);
});

/** The width in the frame header of a JPEG (SOF). */
function readWidth(jpeg: Buffer): number {
  for (let at = 2; ; at += 2 + jpeg.readUInt16BE(at + 2)) {
    if ([0xc0, 0xc1, 0xc2].includes(jpeg[at + 1] ?? 0)) return jpeg.readUInt16BE(at + 7);
  }
}
