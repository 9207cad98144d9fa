import { chromium } from "playwright-core";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import type { TimelineView } from "../../src/control/timeline-view.ts";
import { ask, key } from "../command-line.ts";
import { isPicture, LiveClient } from "../live/live-client.ts";
import { askNode, openOn, startCluster, type TestCluster, type TestNode } from "./cluster.ts";

const image = Buffer.alloc(3_000_000, "x");
let site: Site;
let cluster: TestCluster;
/** The one that is asked, and has no session. */
let entry: TestNode;
let owner: TestNode;
beforeAll(async () => {
  site = await startSite({
    "/": "<title>Harbour</title><h1>Ferries</h1><button onclick=\"document.querySelector('h1').textContent = 'Departed'\">Depart</button>",
    "/pier": `<title>Pier</title><button onclick="fetch('/departed')">Depart</button>`,
    "/departed": "gone",
    "/large": `<title>Large</title><p>${"ferry ".repeat(200_000)}</p>`,
  });
  cluster = await startCluster(3);
  const [first, second] = cluster.nodes;
  if (!first || !second) throw new Error("There are no nodes.");
  [entry, owner] = [first, second];
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const departed = (): number => site.requests.filter((path) => path === "/departed").length;
const open = (at: TestNode, path = "/"): Promise<SessionView> => openOn(at, `${site.url}${path}`);

describe("through a node that has none of them", () => {
  test("sessions are listed, read and ended", async () => {
    const { session_id: id } = await open(owner);
    const { sessions } = await ask<{ sessions: readonly SessionView[] }>(entry.served, "GET", "/control/sessions");
    expect(sessions.map(({ session_id }) => session_id)).toContain(id);
    const view = await ask<SessionView>(entry.served, "GET", `/control/sessions/${id}`);
    expect(view).toMatchObject({ state: "active", url: `${site.url}/`, title: "Harbour" });
    expect(view.recording).not.toBeNull();
    expect(view.cdp_url).toContain(entry.served.url.replace("http", "ws"));
    expect(await ask(entry.served, "DELETE", `/control/sessions/${id}`)).toMatchObject({ end_reason: "requested" });
    expect((await askNode(owner, "GET", `/sessions/${id}/cookies`)).status).toBe(409);
    expect((await askNode(entry, "GET", `/sessions/${id}/cookies`)).status).toBe(409);
  });

  test("they are scraped, and their cookies read, without a trace of the node in the answers", async () => {
    const { session_id: id } = await open(owner);
    const scrape = (at: TestNode): Promise<Response> => askNode(at, "POST", `/sessions/${id}/page/scrape`, {});
    const [here, there] = [await scrape(owner), await scrape(entry)];
    expect(await there.json()).toEqual(await here.json());
    expect([...there.headers.keys()].sort()).toEqual([...here.headers.keys()].sort());
    expect(await (await askNode(entry, "GET", `/sessions/${id}/cookies`)).json()).toEqual({ cookies: [] });
    const wrong = await askNode(entry, "POST", `/sessions/${id}/page/scrape`, { selector: 7 });
    expect(wrong.status).toBe(422);
    await ask(entry.served, "DELETE", `/control/sessions/${id}`);
  });

  test("large responses are complete", async () => {
    const { session_id: id } = await open(owner, "/large");
    const { markdown } = await ask<{ markdown: string }>(entry.served, "POST", `/sessions/${id}/page/scrape`, {});
    expect(markdown.length).toBeGreaterThan(1_100_000);
    await ask(entry.served, "DELETE", `/control/sessions/${id}`);
  });

  test("they are found by the token of their address alone", async () => {
    const { session_id: id } = await open(owner);
    const { cdp_url } = await ask<SessionView>(entry.served, "GET", `/control/sessions/${id}`);
    const { search } = new URL(cdp_url ?? "");
    const version = async (): Promise<Response> => fetch(`${entry.served.url}/json/version${search}`);
    expect(await (await version()).json()).toMatchObject({ webSocketDebuggerUrl: cdp_url });
    expect((await fetch(`${entry.served.url}/json/version?token=${id}.x`)).status).toBe(401);
    await ask(entry.served, "DELETE", `/control/sessions/${id}`);
    expect((await version()).status).toBe(409);
  });

  test("they are driven, by messages of several megabytes as well", async () => {
    const { session_id: id } = await open(owner);
    const { cdp_url } = await ask<SessionView>(entry.served, "GET", `/control/sessions/${id}`);
    const browser = await chromium.connectOverCDP(cdp_url ?? "");
    const page = browser.contexts()[0]?.pages()[0];
    await page?.getByRole("button").click();
    expect(await page?.getByRole("heading").textContent()).toBe("Departed");
    expect(await page?.evaluate((text) => text.length, image.toString())).toBe(image.length);
    const gone = new Promise<void>((resolve) => browser.once("disconnected", () => resolve()));
    await ask(entry.served, "DELETE", `/control/sessions/${id}`);
    await gone;
    const refused = chromium.connectOverCDP(cdp_url ?? "");
    await expect(refused).rejects.toThrow(/409/);
  });

  test("they are seen and steered, by tokens that every node makes and withdraws", async () => {
    const { session_id: id } = await open(owner);
    const tokens = `/control/sessions/${id}/tokens`;
    const make = (at: TestNode, scope: string): Promise<{ live_url: string; token_id: string }> =>
      ask(at.served, "POST", tokens, { scope });
    const token = await make(entry, "steer");
    const own = await make(owner, "watch");
    expect(token.live_url.startsWith(entry.served.url.replace("http", "ws"))).toBe(true);
    const steer = await LiveClient.open(token.live_url);
    const watch = await LiveClient.open(own.live_url.replace(/^ws:\/\/[^/]+/, entry.served.url.replace("http", "ws")));
    await Promise.all([steer.next(isPicture), watch.next(isPicture)]);
    steer.send({ type: "control", action: "take" });
    await watch.next(({ type, holder }) => type === "control" && holder === "person");
    steer.send({ type: "address", url: "about:blank" });
    await watch.next(({ type, url }) => type === "page" && url === "about:blank");
    expect((await askNode(entry, "DELETE", `${tokens}/${token.token_id}`)).status).toBe(204);
    expect((await steer.closed).code).toBe(4403);
    for (const { served } of [entry, owner]) {
      const again = token.live_url.replace(/^ws:\/\/[^/]+/, served.url.replace("http", "ws"));
      expect(await LiveClient.connect(again)).toBe(401);
    }
    await ask(entry.served, "DELETE", `/control/sessions/${id}`);
    expect((await watch.closed).code).toBe(4410);
  });

  test("what happened in them is told while they live and after their end, and their console read", async () => {
    const { session_id: id, cdp_url } = await open(owner);
    const driver = await chromium.connectOverCDP(cdp_url ?? "");
    await driver.contexts()[0]?.pages()[0]?.getByRole("button", { name: "Depart" }).click();
    const path = `/control/sessions/${id}/timeline`;
    const readTimeline = async (): Promise<readonly string[]> =>
      (await ask<TimelineView>(entry.served, "GET", path)).entries.map(({ by, kind }) => `${by} ${kind}`);
    const until = ["service tab-opened", "service navigation", "client click"];
    await vi.waitFor(async () => expect(await readTimeline()).toEqual(until), { timeout: 60_000, interval: 500 });
    const { token } = await ask<{ token: string }>(owner.served, "POST", `/control/sessions/${id}/tokens`, {
      scope: "steer",
    });
    const consoleAt = `${entry.served.url}/control/sessions/${id}/console`;
    expect((await fetch(`${consoleAt}?token=${token}`)).status).toBe(200);
    expect((await fetch(consoleAt)).status).toBe(401);
    await driver.close();
    await ask(entry.served, "DELETE", `/control/sessions/${id}`);
    expect(await readTimeline()).toEqual([...until, "service end"]);
    await vi.waitFor(() => ask(entry.served, "GET", `/sessions/${id}/replay`), { timeout: 60_000, interval: 500 });
    await ask(entry.served, "DELETE", `/control/sessions/${id}/recording`);
    expect((await askNode(entry, "GET", path)).status).toBe(410);
  });

  test("their recording is played by the address of the node that was asked", async () => {
    const { session_id: id } = await open(owner);
    await ask(entry.served, "DELETE", `/control/sessions/${id}`);
    const replay = await vi.waitFor(() => ask<{ mp4_url: string }>(entry.served, "GET", `/sessions/${id}/replay`), {
      timeout: 60_000,
      interval: 500,
    });
    expect(replay.mp4_url.startsWith(`${entry.served.url}/recordings/`)).toBe(true);
    const part = await fetch(replay.mp4_url, { headers: { range: "bytes=4-7" } });
    expect(part.status).toBe(206);
    expect(await part.text()).toBe("ftyp");
  });

  test("their files are uploaded, chosen and fetched, and their clipboard is used", async () => {
    const { session_id: id } = await open(owner);
    const at = `/control/sessions/${id}`;
    const file = await ask<{ file_id: string; path: string }>(entry.served, "POST", `${at}/files?name=a.txt`, "text");
    const { cdp_url } = await ask<SessionView>(entry.served, "GET", at);
    const browser = await chromium.connectOverCDP(cdp_url ?? "");
    const page = browser.contexts()[0]?.pages()[0];
    await page?.setContent("<input type=file><a download=b.txt href='data:text/plain,content'>b</a>");
    const devtools = page && (await page.context().newCDPSession(page));
    const document = await devtools?.send("DOM.getDocument");
    const input = { nodeId: document?.root.nodeId ?? 0, selector: "input" };
    const { nodeId } = (await devtools?.send("DOM.querySelector", input)) ?? { nodeId: 0 };
    await devtools?.send("DOM.setFileInputFiles", { nodeId, files: [file.path] });
    expect(await page?.$eval("input", async ({ files }) => files?.[0]?.text())).toBe('"text"');
    const [download] = await Promise.all([page?.waitForEvent("download"), page?.click("a")]);
    expect(await download?.failure()).toBeNull();
    expect(await ask(entry.served, "PUT", `${at}/clipboard`, { text: "words" })).toEqual({ text: "words" });
    expect(await ask(owner.served, "GET", `${at}/clipboard?copy=false`)).toEqual({ text: "words" });
    await ask(entry.served, "DELETE", at);
    for (const node of cluster.nodes) {
      const { files } = await ask<{ files: readonly { name: string; file_id: string }[] }>(
        node.served,
        "GET",
        `${at}/files`,
      );
      expect(files.map(({ name }) => name)).toEqual(["a.txt", "b.txt"]);
      expect(await (await askNode(node, "GET", `${at}/files/${files[1]?.file_id}`)).text()).toBe("content");
    }
  });

  test("a function of one node is known to all", async () => {
    const record = {
      function_id: "f",
      function_name: "f",
      created_at: "2026-01-01",
      query: "",
      variables: [],
      steps: [],
    };
    await cluster.query("INSERT INTO functions VALUES ('f', '2026-01-01', $1)", [JSON.stringify(record)]);
    expect(await ask(entry.served, "GET", "/control/functions/f")).toEqual(record);
    expect(await ask(owner.served, "DELETE", "/control/functions/f")).toEqual({ deleted: true });
    expect((await askNode(entry, "GET", "/control/functions/f")).status).toBe(404);
  });
});

describe("what a program did in a session of one node", () => {
  test("is made a function through another node, while it is open and after its end, and runs on all", async () => {
    const { session_id: id } = await open(owner, "/pier");
    const { cdp_url } = await ask<SessionView>(entry.served, "GET", `/control/sessions/${id}`);
    const browser = await chromium.connectOverCDP(cdp_url ?? "");
    await browser.contexts()[0]?.pages()[0]?.getByRole("button", { name: "Depart" }).click();
    await vi.waitFor(() => expect(departed()).toBe(1), { timeout: 60_000 });
    const make = (at: TestNode): Promise<{ function_id: string; steps: readonly unknown[] }> =>
      ask(at.served, "POST", `/control/sessions/${id}/function`, {});
    const whileOpen = await make(entry);
    await browser.close();
    const [, , third] = cluster.nodes;
    if (!third) throw new Error("There is no third node.");
    // A node that has lost its lease for a moment starts none.
    const ran = await vi.waitFor(
      async () => {
        const answer = await askNode(third, "POST", `/control/functions/${whileOpen.function_id}/run`, {});
        expect(answer.status).toBe(200);
        return answer.text();
      },
      { timeout: 60_000, interval: 1_000 },
    );
    expect(ran).toContain('"type":"done"');
    expect(departed()).toBe(2);
    await ask(entry.served, "DELETE", `/control/sessions/${id}`);
    const afterEnd = await make(third);
    expect(afterEnd.steps).toEqual(whileOpen.steps);
    expect(await ask(entry.served, "GET", `/control/functions/${afterEnd.function_id}`)).toEqual(afterEnd);
  });
});

describe("a request", () => {
  test("for an unknown session is answered with 404, and without a key with 401", async () => {
    const id = crypto.randomUUID();
    expect((await askNode(entry, "GET", `/sessions/${id}/cookies`)).status).toBe(404);
    const { session_id: theirs } = await open(owner);
    expect((await fetch(`${entry.served.url}/sessions/${theirs}/cookies`)).status).toBe(401);
    expect((await fetch(`${entry.served.url}/viewer/${theirs}/page?token=x`)).status).toBe(403);
    await ask(entry.served, "DELETE", `/control/sessions/${theirs}`);
  });

  test("that only claims to come from a node is treated like any other", async () => {
    const { session_id: id } = await open(owner);
    const claims = { "x-cloud-browser-node": "guessed", "x-cloud-browser-url": "http://evil.example" };
    const headers = { authorization: `Bearer ${key}`, ...claims };
    for (const { served } of [entry, owner]) {
      const view = await (await fetch(`${served.url}/control/sessions/${id}`, { headers })).text();
      expect(view).toContain(served.url.replace("http", "ws"));
      expect(view).not.toContain("evil.example");
      const evil = await fetch(`${served.url}/control/sessions/${id}`, {
        headers: { ...headers, origin: "http://evil.example" },
      });
      expect(evil.status).toBe(403);
    }
    await ask(entry.served, "DELETE", `/control/sessions/${id}`);
  });
});
