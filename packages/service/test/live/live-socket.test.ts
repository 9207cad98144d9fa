import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { validatorOf } from "../../src/control/control-schemas.ts";
import type { HandoverView } from "../../src/control/handover-view.ts";
import type { TimelineView } from "../../src/control/timeline-view.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { serveHttp, type HttpServer } from "../http-server.ts";
import { answerOf, startTestService, type TestService } from "../running-service.ts";
import { LiveClient } from "./live-client.ts";

interface Made {
  readonly token_id: string;
  readonly token: string;
  readonly live_url: string;
  readonly viewer_url: string;
  readonly cdp_url: string;
}

let running: TestService;
let site: HttpServer;
beforeAll(async () => {
  site = await serveHttp((_, response) => void response.setHeader("content-type", "text/html").end(html));
  running = await startTestService({ embedOrigins: ["https://app.example.com"] });
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** Says in its title what was done to it, and in its colour that it was clicked. */
const html = `<!doctype html><title>start</title><body style="margin:0"><input id="i" style="position:absolute;top:300px">
<script>
  let moves = 0, clicks = 0;
  const say = () => (document.title = "clicks " + clicks + " text " + i.value);
  addEventListener("mousemove", () => { moves += 1; const end = performance.now() + (window.slow ?? 0); while (performance.now() < end); });
  addEventListener("mousedown", () => { clicks += 1; window.movesAtClick = moves; document.body.style.background = clicks % 2 ? "red" : "blue"; say(); });
  addEventListener("input", say);
  addEventListener("input", () => (sessionStorage.typed = i.value));
</script>`;

async function make(session: SessionView, scope: string, lifetime_s = 60): Promise<Made> {
  const answer = await running.ask("POST", `/control/sessions/${session.session_id}/tokens`, { scope, lifetime_s });
  expect(answer.status).toBe(201);
  return answerOf<Made>(answer);
}

async function opened(): Promise<{ session: SessionView; steer: LiveClient; watchUrl: string } & AsyncDisposable> {
  const session = await running.open({ url: site.url });
  const steer = await LiveClient.open((await make(session, "steer")).live_url);
  const watchUrl = (await make(session, "watch")).live_url;
  return { session, steer, watchUrl, [Symbol.asyncDispose]: async () => void (await running.end(session.session_id)) };
}

const click = (x: number, y: number): readonly object[] => [
  { type: "mouse", action: "down", x, y },
  { type: "mouse", action: "up", x, y },
];
test("a token that watches can't steer, one that steers can't drive, and one that drives can't watch", async () => {
  await using live = await opened();
  const { session } = live;
  const watcher = await LiveClient.open(live.watchUrl);
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
  const [steer, driver] = [await make(session, "steer"), await make(session, "drive")];
  const live_url = live.watchUrl.replace(/token=.*/, "token=");
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

test("the timeline tells what a person and a client did, and the console is for those who may steer", async () => {
  await using live = await opened();
  const { session, steer } = live;
  const path = `/control/sessions/${session.session_id}`;
  const browser = await chromium.connectOverCDP(session.cdp_url ?? "");
  const page = browser.contexts()[0]?.pages()[0];
  await page?.locator("#i").fill("joe");
  await page?.goto(`${site.url}?token=hidden#part`);
  await page?.evaluate((address) => console.log(`see ${address}`), `${site.url}?token=hidden`);
  await steer.next(({ type, url }) => type === "page" && String(url).includes("token"));
  steer.send({ type: "control", action: "take" });
  for (const input of click(5, 5)) steer.send(input);
  const read = async (query = ""): Promise<TimelineView> =>
    answerOf(await running.ask("GET", `${path}/timeline${query}`));
  await vi.waitFor(async () => expect((await read()).entries.at(-1)).toMatchObject({ kind: "click", by: "person" }));
  const view = await read();
  expect(view.entries.map(({ kind, by }) => `${by} ${kind}`)).toEqual([
    "service tab-opened",
    "service navigation",
    "client fill",
    "client navigation",
    "person click",
  ]);
  expect(view.entries[2]).toMatchObject({ target: { role: "textbox", name: "" }, value: "joe" });
  expect(await read("?after=3&limit=1")).toMatchObject({ entries: [{ seq: 4 }], next_after: 4, has_more: true });
  const isTimeline = validatorOf("Timeline");
  expect([isTimeline(view), isTimeline.errors]).toEqual([true, null]);
  const markdown = await running.ask("GET", `${path}/timeline?format=markdown`);
  expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const lines = await markdown.text();
  expect(lines).toContain("**person** in tab 1 clicked");
  for (const wrong of ["after=x", "limit=0", "limit=1001", "format=xml"])
    expect((await running.ask("GET", `${path}/timeline?${wrong}`)).status).toBe(422);
  const consoleOf = async (scope: string): Promise<Response> =>
    fetch(`${running.service.url}${path}/console?token=${(await make(session, scope)).token}`);
  expect((await consoleOf("watch")).status).toBe(401);
  const seen = await (await consoleOf("steer")).text();
  expect(JSON.parse(seen)).toMatchObject({ messages: [{ level: "log", text: `see ${site.url}` }] });
  expect(JSON.stringify(view) + lines + seen).not.toContain("hidden");
  await browser.close();
});

test("a token that expires or is withdrawn ends what is open by it, and opens nothing more", async () => {
  await using live = await opened();
  const { session } = live;
  const tokens = `/control/sessions/${session.session_id}/tokens`;
  const short = await make(session, "steer", 1.0004);
  const expiring = await LiveClient.open(short.live_url);
  expect(await expiring.closed).toEqual({ code: 4403, reason: "the token has expired" });
  expect(await LiveClient.connect(short.live_url)).toBe(401);
  const watch = await make(session, "watch");
  const watcher = await LiveClient.open(watch.live_url);
  const pictures = await fetch(watch.viewer_url.replace("/page?", "/pictures?"));
  const driver = await make(session, "drive");
  const driving = await LiveClient.open(driver.cdp_url);
  const listed = await answerOf<{ tokens: readonly { token_id: string }[] }>(await running.ask("GET", tokens));
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
  await using live = await opened();
  const { steer } = live;
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
  const long = await LiveClient.open(live.watchUrl);
  long.send("x".repeat(600 * 1024));
  expect(await long.closed).toMatchObject({ code: 1009 });
});

test("16 viewers see one session, not 17, and its end closes each with the reason", async () => {
  const session = await running.open();
  const { live_url } = await make(session, "watch");
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
  await using live = await opened();
  const { session, steer } = live;
  const record = async (): Promise<SessionView["control"]> =>
    (await answerOf<SessionView>(await running.ask("GET", `/control/sessions/${session.session_id}`))).control;
  const browser = await chromium.connectOverCDP(session.cdp_url ?? "");
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error("the session has no page");
  await page.focus("#i");
  expect(await steer.next(({ type }) => type === "control")).toMatchObject({ holder: "program", you: false });
  for (const input of click(5, 5)) {
    steer.send(input);
    expect(await steer.next(({ type }) => type === "error")).toMatchObject({ code: "not-holder", of: "mouse" });
  }
  const other = await LiveClient.open((await make(session, "steer")).live_url);
  const watcher = await LiveClient.open(live.watchUrl);
  steer.send({ type: "control", action: "take" });
  expect(await steer.next(({ type, you }) => type === "control" && you === true)).toMatchObject({ holder: "person" });
  const { lease } = await steer.next(({ type }) => type === "lease");
  for (const viewer of [other, watcher])
    expect(await viewer.next(({ type, holder }) => type === "control" && holder === "person")).toMatchObject({
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
  const again = await LiveClient.open((await make(session, "steer")).live_url);
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

test("a program asks for a person in words, waits, and gets one answer, by the key, by a token, and asked again", async () => {
  await using live = await opened();
  const { session, steer } = live;
  const path = `/control/sessions/${session.session_id}`;
  const driver = await make(session, "drive");
  const ask = (body: object, headers = {}): Promise<Response> =>
    fetch(`${running.service.url}${path}/handover?token=${driver.token}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const once = { "idempotency-key": "login" };
  const asking = await ask({ message: "log in, please", wait_s: 600 }, once);
  expect(asking.status).toBe(201);
  const location = asking.headers.get("location") ?? "";
  const told = await steer.next(({ type, handover }) => type === "handover" && handover !== null);
  expect(told["handover"]).toMatchObject({ message: "log in, please" });
  const { handover_id: id } = await answerOf<HandoverView>(await ask({ message: "log in, please" }, once));
  expect(location).toBe(`${path}/handovers/${id}`);
  const again = await running.ask("GET", `${location}?wait_s=600`);
  expect((await ask({ message: "another" })).status).toBe(409);
  const listed = await answerOf<{ open: number; handovers: HandoverView[] }>(
    await running.ask("GET", "/control/handovers"),
  );
  expect(listed).toMatchObject({ open: 1, handovers: [{ handover_id: id, state: "open" }] });
  expect(await (await running.ask("GET", "/metrics")).text()).toMatch(/handovers_open 1\n/);
  expect(await answerOf<object>(await running.ask("GET", "/health"))).toMatchObject({ handovers: 1 });

  const answer = (body: object, token: string): Promise<Response> =>
    fetch(`${running.service.url}${location}/answer?token=${token}`, { method: "POST", body: JSON.stringify(body) });
  const watch = await make(session, "watch");
  for (const { token } of [driver, watch, { token: "" }])
    expect((await answer({ answer: "done" }, token)).status).toBe(401);
  const { token } = await make(session, "steer");
  for (const wrong of [{}, { answer: "expired" }, { answer: "done", more: 1 }, { answer: "done", note: "" }])
    expect((await answer(wrong, token)).status).toBe(422);
  steer.send({ type: "control", action: "take" });
  await steer.next(({ type, you }) => type === "control" && you === true);
  steer.send({ type: "handover", handover_id: id, answer: "done", note: "it is Anna's" });
  await steer.next(({ type, holder }) => type === "control" && holder === "program");
  for (const held of [asking, again])
    expect(await answerOf<HandoverView>(held)).toMatchObject({ handover_id: id, answer: "done", note: "it is Anna's" });
  expect((await answer({ answer: "done" }, token)).status).toBe(200);
  expect((await answer({ answer: "declined" }, token)).status).toBe(409);
  steer.send({ type: "handover", handover_id: id, answer: "declined" });
  expect(await steer.next(({ type }) => type === "error")).toMatchObject({ code: "refused", of: "handover" });
  expect(await answerOf<HandoverView>(await ask({ message: "log in, please" }, once))).toMatchObject({
    answer: "done",
  });

  for (const wrong of [
    {},
    { message: " " },
    { message: "x".repeat(2_001) },
    { message: "x", deadline_s: 0 },
    { message: "x", more: 1 },
  ])
    expect((await ask(wrong)).status).toBe(422);
  expect((await ask({ message: "x" }, { "idempotency-key": "x".repeat(256) })).status).toBe(400);
  const short = await ask({ message: "be quick", deadline_s: 1, wait_s: 60 });
  expect(await answerOf<HandoverView>(short)).toMatchObject({ answer: "expired" });
  const last = await ask({ message: "too late", wait_s: 60 });
  await running.end(session.session_id);
  expect(await answerOf<HandoverView>(last)).toMatchObject({ answer: "ended", state: "answered" });
  expect([(await ask({ message: "x" })).status, (await running.ask("GET", `${location}0`)).status]).toEqual([409, 404]);
  expect(await answerOf<HandoverView>(await running.ask("GET", location))).toMatchObject({ answer: "done" });
});
