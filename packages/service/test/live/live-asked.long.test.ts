import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { compileValidator } from "../../src/control/control-schemas.ts";
import type { HandoverView } from "../../src/control/handover-view.ts";
import type { TimelineView } from "../../src/control/timeline-view.ts";
import { readAnswer, type TestService } from "../running-service.ts";
import type { HttpServer } from "../http-server.ts";
import { click, LiveTest } from "./live-sessions.ts";

let live: LiveTest;
let running: TestService;
let site: HttpServer;
beforeAll(async () => {
  live = await LiveTest.start();
  ({ running, site } = live);
});
afterAll(() => live?.[Symbol.asyncDispose]());

test("the timeline tells what a person and a client did, and the console is for those who may steer", async () => {
  await using viewer = await live.open();
  const { session, steer } = viewer;
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
    readAnswer(await running.ask("GET", `${path}/timeline${query}`));
  await vi.waitFor(async () => expect((await read()).entries.at(-1)).toMatchObject({ kind: "click", by: "person" }));
  const view = await read();
  expect(view.entries.map(({ kind, by }) => `${by} ${kind}`)).toEqual([
    "service tab-opened",
    "service navigation",
    "client fill",
    "client navigation",
    "person handover",
    "person click",
  ]);
  expect(view.entries[2]).toMatchObject({ target: { role: "textbox", name: "" }, value: "joe" });
  expect(await read("?after=3&limit=1")).toMatchObject({ entries: [{ seq: 4 }], next_after: 4, has_more: true });
  const isTimeline = compileValidator("Timeline");
  expect([isTimeline(view), isTimeline.errors]).toEqual([true, null]);
  const markdown = await running.ask("GET", `${path}/timeline?format=markdown`);
  expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const lines = await markdown.text();
  expect(lines).toContain("**person** in tab 1 clicked");
  for (const wrong of ["after=x", "limit=0", "limit=1001", "format=xml"])
    expect((await running.ask("GET", `${path}/timeline?${wrong}`)).status).toBe(422);
  const readConsole = async (scope: string): Promise<Response> =>
    fetch(`${running.service.url}${path}/console?token=${(await live.make(session, scope)).token}`);
  expect((await readConsole("watch")).status).toBe(401);
  const text = await (await readConsole("steer")).text();
  expect(JSON.parse(text)).toMatchObject({ messages: [{ level: "log", text: `see ${site.url}` }] });
  expect(JSON.stringify(view) + lines + text).not.toContain("hidden");
  await browser.close();
});

test("a program asks for a person in words, waits, and gets one answer, by the key, by a token, and asked again", async () => {
  await using viewer = await live.open();
  const { session, steer } = viewer;
  const path = `/control/sessions/${session.session_id}`;
  const driver = await live.make(session, "drive");
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
  const message = await steer.next(({ type, handover }) => type === "handover" && handover !== null);
  expect(message["handover"]).toMatchObject({ message: "log in, please" });
  const { handover_id: id } = await readAnswer<HandoverView>(await ask({ message: "log in, please" }, once));
  expect(location).toBe(`${path}/handovers/${id}`);
  const again = await running.ask("GET", `${location}?wait_s=600`);
  expect((await ask({ message: "another" })).status).toBe(409);
  const listed = await readAnswer<{ open: number; handovers: HandoverView[] }>(
    await running.ask("GET", "/control/handovers"),
  );
  expect(listed).toMatchObject({ open: 1, handovers: [{ handover_id: id, state: "open" }] });
  expect(await (await running.ask("GET", "/metrics")).text()).toMatch(/handovers_open 1\n/);
  expect(await readAnswer<object>(await running.ask("GET", "/health"))).toMatchObject({ handovers: 1 });

  const answer = (body: object, token: string): Promise<Response> =>
    fetch(`${running.service.url}${location}/answer?token=${token}`, { method: "POST", body: JSON.stringify(body) });
  const watch = await live.make(session, "watch");
  for (const { token } of [driver, watch, { token: "" }])
    expect((await answer({ answer: "done" }, token)).status).toBe(401);
  const { token } = await live.make(session, "steer");
  for (const wrong of [{}, { answer: "expired" }, { answer: "done", more: 1 }, { answer: "done", note: "" }])
    expect((await answer(wrong, token)).status).toBe(422);
  steer.send({ type: "control", action: "take" });
  await steer.next(({ type, you }) => type === "control" && you === true);
  steer.send({ type: "handover", handover_id: id, answer: "done", note: "it is Anna's" });
  await steer.next(({ type, holder }) => type === "control" && holder === "program");
  for (const held of [asking, again])
    expect(await readAnswer<HandoverView>(held)).toMatchObject({
      handover_id: id,
      answer: "done",
      note: "it is Anna's",
    });
  expect((await answer({ answer: "done" }, token)).status).toBe(200);
  expect((await answer({ answer: "declined" }, token)).status).toBe(409);
  steer.send({ type: "handover", handover_id: id, answer: "declined" });
  expect(await steer.next(({ type }) => type === "error")).toMatchObject({ code: "refused", of: "handover" });
  expect(await readAnswer<HandoverView>(await ask({ message: "log in, please" }, once))).toMatchObject({
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
  expect(await readAnswer<HandoverView>(short)).toMatchObject({ answer: "expired" });
  const last = await ask({ message: "too late", wait_s: 60 });
  await running.end(session.session_id);
  expect(await readAnswer<HandoverView>(last)).toMatchObject({ answer: "ended", state: "answered" });
  expect([(await ask({ message: "x" })).status, (await running.ask("GET", `${location}0`)).status]).toEqual([409, 404]);
  expect(await readAnswer<HandoverView>(await running.ask("GET", location))).toMatchObject({ answer: "done" });
});
