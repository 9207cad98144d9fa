import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";
import { readConsoleFiles } from "../../src/console/console-files.ts";
import { addConsoleRoutes } from "../../src/http/console-routes.ts";

const folder = mkdtempSync(join(tmpdir(), "cloud-browser-console-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "assets"));
writeFileSync(join(folder, "index.html"), "<html><head></head><body></body></html>");
writeFileSync(join(folder, "assets", "a-1.js"), "let a = 1;");
writeFileSync(join(folder, "assets", "a-1.js.map"), "{}");
writeFileSync(join(folder, "secret.txt"), "not part of it");

function serve(files = readConsoleFiles(folder), mediaOrigin?: string): Hono {
  const app = new Hono();
  const words = { automationWord: 'ac"me', serviceWord: "service" };
  addConsoleRoutes(app, { consoleFiles: files, findMediaOrigin: async () => mediaOrigin, words });
  return app;
}

test("the page has the words of the service, and a policy that lets nothing of others in", async () => {
  const answer = await serve().request("/");
  expect(await answer.text()).toContain('content="{&quot;automationWord&quot;:&quot;ac\\&quot;me&quot;');
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
});

test("recordings of a bucket may be played from there", async () => {
  const answer = await serve(undefined, "https://bucket.example").request("/");
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("media-src 'self' https://bucket.example blob:;");
  expect(policy).toContain("connect-src 'self' https://bucket.example;");
});

test("assets are kept for good, compressed for who can read that, and nothing beside them is served", async () => {
  const app = serve();
  const plain = await app.request("/console/assets/a-1.js");
  expect(plain.headers.get("cache-control")).toContain("immutable");
  expect(await plain.text()).toBe("let a = 1;");
  const small = await app.request("/console/assets/a-1.js", { headers: { "accept-encoding": "br, gzip" } });
  expect(small.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(await small.arrayBuffer()).toString()).toBe("let a = 1;");
  for (const path of [
    "assets/a-1.js.map",
    "index.html",
    "secret.txt",
    "assets/../secret.txt",
    "assets/%2e%2e/secret.txt",
  ]) {
    expect({ path, status: (await app.request(`/console/${path}`)).status }).toEqual({ path, status: 404 });
  }
});

test("where the console was not built, or is turned off, the root says so", async () => {
  expect(readConsoleFiles(join(folder, "nothing"))).toBeUndefined();
  const app = new Hono();
  addConsoleRoutes(app, { consoleFiles: undefined, findMediaOrigin: async () => undefined });
  const answer = await app.request("/");
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("no console");
});
