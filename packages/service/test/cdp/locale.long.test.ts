import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../running-service.ts";
import { RawClient } from "../../../browsers/test/relay/relayed-session.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let site: Site;
beforeAll(async () => {
  [running, site] = await Promise.all([startTestService(), startSite({ "/": "<title>Number</title>" })]);
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const locale = "Intl.NumberFormat().resolvedOptions().locale";
const set = (client: RawClient, session: string, params: object) =>
  client.ask("Emulation.setLocaleOverride", params, session);

async function drive(wish?: string): Promise<{ client: RawClient; session: string; url: string }> {
  const view = await running.open({ url: site.url, ...(wish === undefined ? {} : { locale: wish }) });
  const url = view.cdp_url ?? "";
  const client = await RawClient.open(url);
  return { client, session: await client.attach(), url };
}

it.each([
  ["the usual one", undefined, "en-US"],
  ["that of the session", "fr-FR", "fr-FR"],
])("a driver sets the locale over %s, and clears it", async (_, wish, before) => {
  const { client, session } = await drive(wish);
  expect(await client.value(locale, session)).toBe(before);
  expect(await set(client, session, { locale: "de-DE" })).toMatchObject({ result: {} });
  expect(await client.value(locale, session)).toBe("de-DE");
  expect(await set(client, session, { locale: "de-CH" })).toMatchObject({ result: {} });
  expect(await client.value(locale, session)).toBe("de-CH");
  for (const params of [{}, { locale: "" }]) {
    expect(await set(client, session, params)).toMatchObject({ result: {} });
    expect(await client.value(locale, session)).toBe(before);
  }
  await client[Symbol.asyncDispose]();
});

it("it stays in pages of other processes and in those that open later, and in this session only", async () => {
  const [mine, other] = [await drive(), await drive()];
  await set(mine.client, mine.session, { locale: "de-DE" });
  await mine.client.ask("Page.enable", {}, mine.session);
  const loaded = mine.client.waitForEvent("Page.loadEventFired");
  await mine.client.ask("Page.navigate", { url: site.url.replace("127.0.0.1", "localhost") }, mine.session);
  await loaded;
  expect(await mine.client.value(locale, mine.session)).toBe("de-DE");
  const { result } = await mine.client.ask("Target.createTarget", { url: site.url });
  const later = await mine.client.attach(result.targetId);
  await expect.poll(() => mine.client.value(locale, later), { timeout: 20_000 }).toBe("de-DE");
  expect(await other.client.value(locale, other.session)).toBe("en-US");
  for (const { client } of [mine, other]) await client[Symbol.asyncDispose]();
});

it("it goes with the driver's session, and with the driver", async () => {
  const { client, session, url } = await drive();
  expect(await set(client, session, { locale: "de-DE" })).toMatchObject({ result: {} });
  await client.ask("Target.detachFromTarget", { sessionId: session });
  const again = await client.attach();
  await expect.poll(() => client.value(locale, again), { timeout: 20_000 }).toBe("en-US");
  await set(client, again, { locale: "de-DE" });
  await client[Symbol.asyncDispose]();
  await using next = await RawClient.open(url);
  const nextSession = await next.attach();
  await expect.poll(() => next.value(locale, nextSession), { timeout: 20_000 }).toBe("en-US");
});

it("a malformed one is refused with Chromium's reason, and changes nothing", async () => {
  const { client, session } = await drive();
  await set(client, session, { locale: "de-DE" });
  expect((await set(client, session, { locale: "1234567890123" })).error?.message).toMatch(/locale/iu);
  expect(await client.value(locale, session)).toBe("de-DE");
  await client[Symbol.asyncDispose]();
});
