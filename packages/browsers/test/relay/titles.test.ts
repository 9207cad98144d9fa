import { afterAll, beforeAll, expect, it } from "vitest";
import { patient, RawClient, startRelayed, type Relayed } from "./relayed-session.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let relayed: Relayed;
let site: Site;
beforeAll(async () => {
  [relayed, site] = await Promise.all([startRelayed(), startSite({ "/": "<title>First</title>" })]);
});
afterAll(async () => {
  await relayed?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

it("targets have the titles that their pages have now", async () => {
  await using client = await RawClient.open(relayed.url());
  const { result } = await client.ask("Target.createTarget", { url: site.url });
  const { targetId } = result;
  const readTitle = async (): Promise<string> =>
    (await client.ask("Target.getTargetInfo", { targetId })).result.targetInfo.title;
  const listTitles = async (): Promise<string[]> =>
    (await client.ask("Target.getTargets")).result.targetInfos.map(({ title }: { title: string }) => title);
  await expect.poll(readTitle, patient).toBe("First");
  const session = await client.attach(targetId);
  await client.value("document.title = 'Second'", session);
  await expect.poll(listTitles, patient).toContain("Second");
  await client.value("document.title = 'Third'", session);
  await expect.poll(readTitle, patient).toBe("Third");
  await expect
    .poll(() => client.ask("Target.getTargetInfo", {}, session), patient)
    .toMatchObject({
      result: { targetInfo: { title: "Third" } },
    });
});
