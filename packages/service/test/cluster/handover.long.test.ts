import { once } from "node:events";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HandoverView } from "../../src/control/handover-view.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { ask } from "../command-line.ts";
import { LiveClient } from "../live/live-client.ts";
import { readAnswer } from "../running-service.ts";
import { askNode, openOn, startCluster, type TestCluster, type TestNode } from "./cluster.ts";

let cluster: TestCluster;
let site: Site;
beforeAll(async () => {
  site = await startSite({ "/": '<title>start</title><input autofocus oninput="document.title = this.value">' });
  cluster = await startCluster(3);
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

function nodes(): readonly [entry: TestNode, owner: TestNode, other: TestNode] {
  const [entry, owner, other] = cluster.nodes;
  if (!entry || !owner || !other) throw new Error("there are no nodes");
  return [entry, owner, other];
}

async function kill({ served }: TestNode): Promise<void> {
  const { process: child } = served;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

test("a program gets one answer, though the node that it asked dies, and so does that of the person who acts", async () => {
  const [entry, owner, other] = nodes();
  const { session_id: id } = await openOn(owner, `${site.url}/`);
  const path = `/control/sessions/${id}`;
  const asking = await askNode(entry, "POST", `${path}/handover`, { message: "log in", wait_s: 600 });
  const location = asking.headers.get("location") ?? "";
  const { live_url } = await ask<{ live_url: string }>(entry.served, "POST", `${path}/tokens`, { scope: "steer" });
  const person = await LiveClient.open(live_url);
  person.send({ type: "control", action: "take" });
  const { lease } = await person.next(({ type }) => type === "lease");
  const { cdp_url } = await ask<SessionView>(other.served, "GET", path);
  const browser = await chromium.connectOverCDP(cdp_url ?? "");
  const page = browser.contexts()[0]?.pages()[0];
  await page?.focus("input");
  const waiting = page?.keyboard.insertText("program");
  await expect.poll(async () => (await ask<SessionView>(other.served, "GET", path)).control?.waiting_commands).toBe(1);

  const lost = asking.text().catch(() => "lost");
  await kill(entry);
  await lost;
  await person.closed;
  const again = await askNode(other, "GET", `${location}?wait_s=600`);
  expect((await ask<SessionView>(other.served, "GET", path)).control).toMatchObject({ holder: "person" });
  const there = await LiveClient.open(live_url.replace(/^ws:\/\/[^/]+/, other.served.url.replace("http", "ws")));
  there.send({ type: "control", action: "resume", lease });
  const message = await there.next(({ type, handover }) => type === "handover" && handover !== null);
  const { handover_id } = Object(message["handover"]);
  there.send({ type: "text", text: "person-" });
  await there.next(({ type, title }) => type === "page" && title === "person-");
  there.send({ type: "handover", handover_id, answer: "done", note: "as Anna" });
  expect(await readAnswer<HandoverView>(again)).toMatchObject({ answer: "done", note: "as Anna" });
  await waiting;
  expect(await page?.title()).toBe("person-program");
  for (const node of [owner, other]) {
    expect(await ask<HandoverView>(node.served, "GET", location)).toMatchObject({ handover_id, answer: "done" });
    const late = await askNode(node, "POST", `${location}/answer`, { answer: "declined" });
    expect(late.status).toBe(409);
    const listed = await ask<{ open: number; handovers: HandoverView[] }>(node.served, "GET", "/control/handovers");
    expect(listed).toMatchObject({ open: 0, handovers: [{ handover_id, session_id: id, answer: "done" }] });
  }
  await browser.close();
});

test("the answer is that the session has ended when the node that has it dies, for everybody who waits", async () => {
  const [, owner, other] = nodes();
  const { session_id: id } = await openOn(owner, "about:blank");
  const asking = await askNode(other, "POST", `/control/sessions/${id}/handover`, { message: "log in", wait_s: 600 });
  const location = asking.headers.get("location") ?? "";
  const lost = asking.text().catch(() => "lost");
  await kill(owner);
  await lost;
  const read = async (): Promise<HandoverView["answer"]> => {
    const answer = await askNode(other, "GET", `${location}?wait_s=600`);
    return answer.ok ? (await readAnswer<HandoverView>(answer)).answer : null;
  };
  await expect.poll(read, { timeout: 60_000 }).toBe("ended");
  expect((await askNode(other, "POST", `${location}/answer`, { answer: "done" })).status).toBe(409);
});
