/** Targets whose page is large are judged to the end, within the memory that a run has by default. */
import { expect, test } from "vitest";
import type { Json } from "../targets/asked.ts";
import type { Report } from "../../src/report/report.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { markdown } from "../targets/content.ts";
import { serve } from "../targets/serve.ts";
import { apiKey, correctService, type Service } from "../targets/service.ts";

const sentence =
  "The next ferry leaves at [14:20](https://ferries.example/14), from pier 3, if the weather allows it. ";

async function reportOn(scrapes: Service["scrapes"]): Promise<Report> {
  const service: Service = { ...correctService, scrapes };
  await using served = await serve(service);
  const { open, ended } = service.sessions;
  const target = liveTarget({ baseUrl: served.url, apiKey, sessionId: open, endedSessionId: ended });
  return await runConformance(target, { profile: "full", limits: { closeGraceMs: 400 } });
}

/** Puts a text behind the Markdown of each answer that has any. */
const followedBy =
  (text: () => string): Service["scrapes"] =>
  (options, asked) => {
    const value = correctService.scrapes(options, asked);
    return isPage(value) ? { ...value, markdown: `${value.markdown}${text()}` } : value;
  };

const isPage = (value: unknown): value is Record<string, Json> & { markdown: string } =>
  typeof value === "object" && value !== null && "markdown" in value && value.markdown === markdown;

test("a page of a megabyte that stays as it is", async () => {
  const text = sentence.repeat(10_000);
  const { verdict, checks } = await reportOn(followedBy(() => text));
  expect(checks.filter(({ status }) => status === "error" || status === "fail")).toEqual([]);
  expect(verdict).toBe("conforming");
}, 120_000);

test("a page of half a megabyte that is another one each time", async () => {
  let times = 0;
  const text = sentence.repeat(5_000);
  const { verdict, checks } = await reportOn(followedBy(() => `${text}${(times += 1)}`));
  expect(checks.filter(({ level, status }) => status === "error" || (level === "stated" && status === "fail"))).toEqual(
    [],
  );
  expect(verdict).toBe("conforming");
}, 120_000);
