import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProfileView } from "../../src/control/profiles/profile-view.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import type { SessionOptions } from "../../src/sessions/session-options.ts";
import { ask, Place } from "../command-line.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { drive } from "./profile-site.ts";

/** A site that is logged in to by a cookie, by local storage or by a database, and asks for a login where none of these is there as its first script runs. */
const app = `<title>App</title><script>
  window.atFirst = { local: localStorage.getItem("auth_token"), cookie: document.cookie };
  const opened = indexedDB.open("authDb", 1);
  opened.onupgradeneeded = () => opened.result.createObjectStore("tokens");
  window.stored = new Promise((resolve) => opened.onsuccess = () => {
    const asked = opened.result.transaction("tokens").objectStore("tokens").getAll();
    asked.onsuccess = () => { opened.result.close(); resolve(asked.result); };
  });
</script>`;

let site: Site;
let data: string;
const sentCookies: (string | undefined)[] = [];
const key = randomBytes(32).toString("base64");

beforeAll(async () => {
  site = await startSite({
    "/": (request, response) => {
      sentCookies.push(request.headers.cookie);
      response.writeHead(200, { "content-type": "text/html" }).end(app);
    },
    "/login": (_, response) =>
      void response
        .writeHead(200, {
          "content-type": "text/html",
          "set-cookie": [
            "__Host-session=cookie-secret; Secure; Path=/; HttpOnly; SameSite=Lax",
            "lasting=lasting-secret; Path=/; Max-Age=86400",
          ],
        })
        .end(app),
  });
});
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => void (data = await mkdtemp(join(tmpdir(), "cloud-browser-profiles-"))));
afterEach(() => rm(data, { recursive: true }));

const start = (keys: string | null = key): Promise<TestService> =>
  startTestService({ data, ...(keys === null ? {} : { profiles: { keys } }) });

async function login(page: Page): Promise<void> {
  await page.goto(`${site.url}/login`);
  await page.evaluate(async () => {
    localStorage.setItem("auth_token", "local-secret");
    await Reflect.get(window, "stored");
    const opened = indexedDB.open("authDb", 1);
    await new Promise((resolve) => opened.addEventListener("success", resolve));
    const transaction = opened.result.transaction("tokens", "readwrite");
    const token = { token: "idb-secret", at: new Date(86_400_000), bytes: new Uint8Array([1, 255]).buffer };
    transaction.objectStore("tokens").put(token, "me");
    transaction.objectStore("tokens").put({ photo: new Blob(["x"]) }, "photo");
    await new Promise((resolve) => transaction.addEventListener("complete", resolve));
  });
}

/** What the first script of a page of the site finds. */
const found = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the page above has it
    const [one] = (await Reflect.get(window, "stored")) as { token: string; at: Date; bytes: ArrayBuffer }[];
    const kinds = one && [one.token, one.at.getTime(), ...new Uint8Array(one.bytes)];
    return { atFirst: Reflect.get(window, "atFirst") as unknown, stored: kinds ?? null };
  });

const loggedIn = {
  atFirst: { local: "local-secret", cookie: "lasting=lasting-secret" },
  stored: ["idb-secret", 86_400_000, 1, 255],
};

async function openWith(running: TestService, profile: SessionOptions["profile"]): Promise<SessionView> {
  return running.open({ url: `${site.url}/`, record: false, ...(profile && { profile }) });
}

const readProfile = async (running: TestService, name = "shop"): Promise<ProfileView> =>
  readAnswer(await running.ask("GET", `/control/profiles/${name}`));

test("a login by cookie, by local storage and by a database is there in the next session, before its first script, and in a service that restarted", async () => {
  {
    await using running = await start();
    const first = await running.open({ profile: { name: "shop" }, record: false });
    expect(first.profile).toEqual({ name: "shop", mode: "write", outcome: "open", why: null, settled_at: null });
    expect(await readProfile(running)).toMatchObject({ saved_at: null, in_use_by: first.session_id, sites: [] });
    await drive(first, login);
    const ended = await running.end(first.session_id);
    expect(ended.profile).toMatchObject({
      outcome: "saved",
      why: `${site.url} authDb/tokens: a Blob can't be kept (1)`,
    });
    const second = await openWith(running, { name: "shop", mode: "read" });
    expect(sentCookies.at(-1)).toContain("__Host-session=cookie-secret");
    expect(await drive(second, found)).toEqual(loggedIn);
    await running.end(second.session_id);
    const without = await openWith(running, undefined);
    expect(await drive(without, found)).toEqual({ atFirst: { local: null, cookie: "" }, stored: null });
  }
  await using again = await start();
  const third = await openWith(again, { name: "shop" });
  expect(sentCookies.at(-1)).toContain("__Host-session=cookie-secret");
  expect(await drive(third, found)).toEqual(loggedIn);
  const { sites, last_write } = await readProfile(again);
  expect(last_write).toMatchObject({ session_id: third.session_id, outcome: "open" });
  expect(sites?.map(({ site: host, login: kinds, cookies, databases }) => [host, kinds, cookies, databases])).toEqual([
    ["127.0.0.1", ["cookie", "local-storage", "indexed-db"], 2, 1],
  ]);
});

async function health(running: TestService): Promise<unknown> {
  return readAnswer(await fetch(`${running.service.url}/health`));
}

function show(served: { readonly url: string }): Promise<ProfileView> {
  return ask(served, "GET", "/control/profiles/shop");
}

test("a session is refused without the key of its profile, and with an old one that is in the list it is not", async () => {
  const profile = { name: "shop" } as const;
  const refusal = async (running: TestService): Promise<readonly [number, string]> => {
    const answer = await running.ask("POST", "/control/sessions", { profile });
    return [answer.status, await answer.text()];
  };
  {
    await using running = await start();
    const { session_id: id } = await running.open({ profile, record: false });
    await running.end(id);
  }
  {
    await using running = await start(null);
    expect(await refusal(running)).toEqual([501, expect.stringContaining("set CLOUD_BROWSER_PROFILE_KEY")]);
    // Sessions without a profile know nothing of that.
    expect((await running.open()).profile).toBeNull();
  }
  const next = randomBytes(32).toString("base64");
  {
    await using running = await start(next);
    expect(await refusal(running)).toEqual([503, expect.stringContaining("is encrypted with the key")]);
    expect(await health(running)).toMatchObject({
      status: "degraded",
      checks: { profiles: expect.stringContaining("1 of the profiles") },
    });
    expect(await readProfile(running)).toMatchObject({
      encryption_key: "unknown",
      sites: null,
      in_use_by: null,
      last_write: { outcome: "failed" },
    });
  }
  await using running = await start(`${next} ${key}`);
  expect(await health(running)).toMatchObject({ status: "ok", checks: { profiles: null } });
  const { session_id: id } = await running.open({ profile, record: false });
  await running.end(id);
  expect(await readProfile(running)).toMatchObject({ encryption_key: "current", version: 2 });
});

test("a service that is stopped writes its profiles back; one that is killed leaves the version before, and its profile free", async () => {
  await using place = new Place();
  const env = { CLOUD_BROWSER_PROFILE_KEY: key };
  const body = { url: `${site.url}/`, record: false, profile: { name: "shop" } };
  const stopped = await place.serving([], env);
  const first = await ask<SessionView>(stopped, "POST", "/control/sessions", body);
  await drive(first, login);
  stopped.process.kill("SIGTERM");
  expect((await stopped.ended).stderr).not.toContain("secret");
  const killed = await place.serving([], env);
  expect(await show(killed)).toMatchObject({ version: 1, last_write: { outcome: "saved" } });
  const second = await ask<SessionView>(killed, "POST", "/control/sessions", body);
  expect(await drive(second, found)).toEqual(loggedIn);
  await drive(second, (page) => page.evaluate(() => localStorage.clear()));
  killed.process.kill("SIGKILL");
  await killed.ended;
  const back = await place.serving([], env);
  expect(await show(back)).toMatchObject({
    version: 1,
    in_use_by: null,
    last_write: { session_id: second.session_id, outcome: "lost", why: "the session ended (service-died)" },
  });
  const third = await ask<SessionView>(back, "POST", "/control/sessions", body);
  expect(await drive(third, found)).toEqual(loggedIn);
});
