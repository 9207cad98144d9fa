import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { driveSession } from "../drive-session.ts";
import { readAnswer, type TestService } from "../running-service.ts";
import type { HttpServer } from "../http-server.ts";
import { LiveClient } from "./live-client.ts";
import { click, LiveTest } from "./live-sessions.ts";

let live: LiveTest;
let running: TestService;
let site: HttpServer;
beforeAll(async () => {
  live = await LiveTest.start({ embedOrigins: ["https://app.example.com"] });
  ({ running, site } = live);
});
afterAll(() => live?.[Symbol.asyncDispose]());

test("a token that watches can't steer, one that steers can't drive, and one that drives can't watch", async () => {
  await using viewer = await live.open();
  const { session } = viewer;
  const watcher = await LiveClient.open(viewer.watchUrl);
  expect(await watcher.next(({ type }) => type === "hello")).toMatchObject({ scope: "watch" });
  for (const input of [
    ...click(5, 5),
    { type: "text", text: "x" },
    { type: "address", url: site.url },
    { type: "tab", action: "close", tab: "1" },
    { type: "history", action: "reload" },
    { type: "dialog", action: "accept" },
    { type: "control", action: "take" },
  ]) {
    watcher.send(input);
    expect(await watcher.next(({ type }) => type === "error")).toMatchObject({ code: "forbidden" });
  }
  const [steer, driver] = [await live.make(session, "steer"), await live.make(session, "drive")];
  const live_url = viewer.watchUrl.replace(/token=.*/, "token=");
  const cdp_url = live_url.replace("/live?", "/cdp?");
  expect(await LiveClient.connect(cdp_url + steer.token)).toBe(401);
  expect(await LiveClient.connect(live_url + driver.token)).toBe(401);
  for (const forged of [steer.token.replace("steer", "drive"), steer.token.replace(/\.\d+\./, ".9999999999999."), ""]) {
    expect(await LiveClient.connect(cdp_url + forged)).toBe(401);
    expect(await LiveClient.connect(live_url + forged)).toBe(401);
  }
  const other = await running.open();
  expect(await LiveClient.connect(live_url.replace(session.session_id, other.session_id) + steer.token)).toBe(401);
  await running.end(other.session_id);
  const own = await LiveClient.open(live_url + new URL(session.viewer_url ?? "").searchParams.get("token"));
  expect(await own.next(({ type }) => type === "hello")).toMatchObject({ scope: "watch" });
  const page = await fetch(session.viewer_url ?? "");
  expect(page.headers.get("content-security-policy")).toMatch(/frame-ancestors 'self' https:\/\/app\.example\.com$/);
  await page.body?.cancel();
});

test("a token that expires or is withdrawn ends what is open by it, and opens nothing more", async () => {
  await using viewer = await live.open();
  const { session } = viewer;
  const tokens = `/control/sessions/${session.session_id}/tokens`;
  const short = await live.make(session, "steer", 1.0004);
  const expiring = await LiveClient.open(short.live_url);
  expect(await expiring.closed).toEqual({ code: 4403, reason: "the token has expired" });
  expect(await LiveClient.connect(short.live_url)).toBe(401);
  const watch = await live.make(session, "watch");
  const watcher = await LiveClient.open(watch.live_url);
  const pictures = await fetch(watch.viewer_url.replace("/page?", "/pictures?"));
  const driver = await live.make(session, "drive");
  const driving = await LiveClient.open(driver.cdp_url);
  const listed = await readAnswer<{ tokens: readonly { token_id: string }[] }>(await running.ask("GET", tokens));
  expect(listed.tokens.map(({ token_id }) => token_id)).toEqual(
    expect.arrayContaining([watch.token_id, driver.token_id]),
  );
  expect(JSON.stringify(listed)).not.toContain(watch.token);
  for (const { token_id } of [watch, driver]) {
    expect((await running.ask("DELETE", `${tokens}/${token_id}`)).status).toBe(204);
    expect((await running.ask("DELETE", `${tokens}/${token_id}`)).status).toBe(404);
  }
  const why = { code: 4403, reason: "the token was withdrawn" };
  expect(await watcher.closed).toEqual(why);
  expect(await driving.closed).toEqual(why);
  for await (const _ of pictures.body ?? []);
  expect(await LiveClient.connect(watch.live_url)).toBe(401);
  expect(await LiveClient.connect(driver.cdp_url)).toBe(401);
  expect((await fetch(watch.viewer_url)).status).toBe(403);
  for (const body of [{}, { scope: "all" }, { scope: "watch", lifetime_s: 0 }, { scope: "watch", more: 1 }]) {
    expect((await running.ask("POST", tokens, body)).status).toBe(422);
  }
});

test("malformed messages get an error, and after twenty the socket is closed", async () => {
  await using viewer = await live.open();
  const { steer } = viewer;
  const bad = [
    "{",
    "null",
    "[]",
    '"x"',
    "{}",
    '{"type":"__proto__"}',
    '{"type":"mouse"}',
    '{"type":"mouse","action":"move","x":1e999,"y":0}',
    '{"type":"mouse","action":"move","x":-1,"y":0}',
    '{"type":"text","text":""}',
    `{"type":"text","text":"${"x".repeat(100_001)}"}`,
    '{"type":"view","max_fps":0}',
    '{"type":"view","max_width":1}',
    '{"type":"address","url":1}',
    '{"type":"key","action":"down","key":"a","more":1}',
    '{"type":"touch","action":"start","points":[{}]}',
    '{"type":"ack","picture":99}',
    '{"type":"tab","action":"open"}',
  ];
  for (const text of bad) {
    steer.send(text);
    const { code } = await steer.next(({ type }) => type === "error");
    expect([text, code]).toEqual([text, "malformed"]);
  }
  steer.sendBytes(new Uint8Array(3));
  await steer.next(({ type }) => type === "error");
  steer.send("{");
  expect(await steer.closed).toMatchObject({ code: 1008 });
  const long = await LiveClient.open(viewer.watchUrl);
  long.send("x".repeat(600 * 1024));
  expect(await long.closed).toMatchObject({ code: 1009 });
});

test("16 viewers see one session, not 17, and its end closes each with the reason", async () => {
  const session = await running.open();
  const { live_url } = await live.make(session, "watch");
  const viewers = await Promise.all(Array.from({ length: 16 }, () => LiveClient.open(live_url)));
  expect(await LiveClient.connect(live_url)).toBe(429);
  const access = await fetch(live_url.replace("ws", "http").replace("/live?", "/live/access?"));
  expect(await access.json()).toEqual({ scope: "watch", viewers: 16 });
  const metrics = async (): Promise<string> => (await running.ask("GET", "/metrics")).text();
  await expect.poll(metrics).toMatch(/live_viewers_open 16\n/);
  expect(await metrics()).toMatch(/live_pictures_sent_total [1-9]/);
  await viewers[0]?.close();
  await expect.poll(() => LiveClient.connect(live_url)).toBeInstanceOf(LiveClient);
  await running.end(session.session_id);
  const ends = await Promise.all(viewers.slice(1).map(({ closed }) => closed));
  const end = { code: 4410, reason: "the session has ended (requested)" };
  expect(ends).toEqual(viewers.slice(1).map(() => end));
  expect(await LiveClient.connect(live_url)).toBe(409);
});

test("while a person has the control, what a program does waits in order, and is done when it is given back", async () => {
  await using viewer = await live.open();
  const { session, steer } = viewer;
  const record = async (): Promise<SessionView["control"]> =>
    (await readAnswer<SessionView>(await running.ask("GET", `/control/sessions/${session.session_id}`))).control;
  const { browser, page } = await driveSession(session);
  await page.focus("#i");
  expect(await steer.next(({ type }) => type === "control")).toMatchObject({ holder: "program", you: false });
  for (const input of click(5, 5)) {
    steer.send(input);
    expect(await steer.next(({ type }) => type === "error")).toMatchObject({ code: "not-holder", of: "mouse" });
  }
  const other = await LiveClient.open((await live.make(session, "steer")).live_url);
  const watcher = await LiveClient.open(viewer.watchUrl);
  steer.send({ type: "control", action: "take" });
  expect(await steer.next(({ type, you }) => type === "control" && you === true)).toMatchObject({ holder: "person" });
  const { lease } = await steer.next(({ type }) => type === "lease");
  for (const one of [other, watcher])
    expect(await one.next(({ type, holder }) => type === "control" && holder === "person")).toMatchObject({
      you: false,
    });
  other.send({ type: "control", action: "take" });
  expect(await other.next(({ type }) => type === "error")).toMatchObject({ code: "refused", of: "control" });
  watcher.send({ type: "control", action: "take", force: true });
  expect(await watcher.next(({ type }) => type === "error")).toMatchObject({ code: "forbidden" });

  const order: string[] = [];
  const noted = (name: string, done: Promise<unknown>): Promise<unknown> => done.then(() => order.push(name));
  const waiting = [
    noted("a", page.keyboard.insertText("a")),
    noted("b", page.keyboard.press("b")),
    noted("go", page.goto(`${site.url}/next`)),
    noted("tab", page.context().newPage()),
  ];
  await expect.poll(async () => (await record())?.waiting_commands).toBeGreaterThanOrEqual(4);
  expect(await record()).toMatchObject({ holder: "person", connected: true, evaluation: false });
  expect(await page.evaluate("i.value + location.pathname + clicks")).toBe("/0");
  await steer.next(({ type, waiting: waits }) => type === "control" && waits === true);
  steer.send({ type: "text", text: "person-" });
  await steer.next(({ type, title }) => type === "page" && title === "clicks 0 text person-");
  expect(order).toEqual([]);

  await steer.close();
  expect(await watcher.next(({ type, connected }) => type === "control" && connected === false)).toMatchObject({
    holder: "person",
  });
  const again = await LiveClient.open((await live.make(session, "steer")).live_url);
  again.send({ type: "control", action: "resume", lease: "another" });
  expect(await again.next(({ type }) => type === "error")).toMatchObject({ code: "refused" });
  again.send({ type: "control", action: "resume", lease });
  await again.next(({ type, you }) => type === "control" && you === true);
  expect(order).toEqual([]);
  expect(await page.evaluate("i.value")).toBe("person-");

  again.send({ type: "control", action: "release" });
  await Promise.all(waiting);
  expect(new URL(page.url()).pathname).toBe("/next");
  expect(await page.evaluate("sessionStorage.typed")).toBe("person-ab");
  expect(page.context().pages()).toHaveLength(2);
  await watcher.next(
    ({ type, holder, waiting: waits }) => type === "control" && holder === "program" && waits === false,
  );
  expect(await record()).toMatchObject({ holder: "program", waiting_commands: 0 });
  await page.goBack();
  await browser.close();
});
