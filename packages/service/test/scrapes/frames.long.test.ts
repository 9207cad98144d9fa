import { expect, it } from "vitest";
import { readAnswer, startTestService } from "../running-service.ts";
import { startSite } from "@cloud-browser/testing/scrape/site.ts";

it("the response to a blocked frame is not content of the page", async () => {
  const site = await startSite();
  await using running = await startTestService();
  const frames = ["http://ads.invalid/a", "http://10.1.2.3/b", `${site.url}/inner`]
    .map((address) => `<iframe src="${address}" width=300 height=100></iframe>`)
    .join("");
  site.put("/inner", "<p>Inner</p>");
  const url = site.put("/page", `<!doctype html><title>T</title><h1>Article</h1><p>Text</p>${frames}`);
  const { session_id: id } = await running.open({ url });
  const answer = await running.ask("POST", `/sessions/${id}/page/scrape`, {});
  expect((await readAnswer<{ markdown: string }>(answer)).markdown).toBe("# Article\n\nText\n\nInner");
  await site.close();
});
