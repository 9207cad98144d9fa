import { createServer } from "node:net";
import { startSite } from "@cloud-browser/testing/site.ts";
import { expect, test, vi } from "vitest";
import type { SessionView } from "../../../src/control/session-view.ts";
import { ask } from "../../command-line.ts";
import { openOn, startCluster } from "../cluster.ts";

/** Longer than any lease. */
const patience = { timeout: 120_000, interval: 100 };

test("the pages of a node that was stopped send nothing after their end was recorded by another one", async () => {
  /** What the server was sent, and when, in milliseconds since 1970. */
  const received: { readonly bytes: number; readonly ms: number; readonly what: string }[] = [];
  const raw = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      const what = chunk.toString("latin1");
      received.push({ bytes: chunk.length, ms: Date.now(), what: what.slice(0, 20) });
      // An open connection that the page goes on to write to, or one that it uses again.
      if (what.startsWith("GET /socket")) return;
      const head = "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n";
      if (/^(?:GET|POST) /.test(what)) socket.write(head);
    });
  });
  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
  const address = raw.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const beats = `
    const to = "http://127.0.0.1:${port}/";
    setInterval(() => fetch(to + "beat?" + Math.random()).catch(() => 0), 50);
    setInterval(() => fetch(to + "post", { method: "POST", mode: "no-cors", body: "x".repeat(50_000) }).catch(() => 0), 70);
    setInterval(() => new WebSocket("ws://127.0.0.1:${port}/socket?" + Math.random()), 500);`;
  await using site = await startSite({ "/": `<title>Beating</title><script>${beats}</script>` });
  await using cluster = await startCluster(2);
  const [victim, other] = cluster.nodes;
  if (!victim || !other) throw new Error("There are no nodes.");
  for (let round = 0; round < 2; round += 1) {
    const { session_id: id } = await openOn(victim, `${site.url}/`);
    const begun = received.length;
    await vi.waitUntil(() => received.length > begun + 20, patience);
    victim.served.process.kill("SIGSTOP");
    const view = await vi.waitFor(async () => {
      const sessionView = await ask<SessionView>(other.served, "GET", `/control/sessions/${id}`);
      expect(sessionView).toMatchObject({ state: "ended", end_reason: "host-lost" });
      return sessionView;
    }, patience);
    expect(Date.parse(view.ended_at ?? "")).toBeLessThan(Date.now() + 1_000);
    const recordedMs = Date.now();
    const before = received.length;
    victim.served.process.kill("SIGCONT");
    // It has acquired another lease, and the browsers of the former one are closed.
    await vi.waitFor(async () => {
      const held = await cluster.query("SELECT name FROM leases WHERE name = $1 AND NOT revoked", [victim.name]);
      expect(held).toHaveLength(1);
      expect((await openOn(victim, "about:blank")).session_id).toEqual(expect.any(String));
    }, patience);
    expect(received.slice(before).filter(({ ms }) => ms > recordedMs)).toEqual([]);
  }
  raw.close();
});
