/** Targets whose page is large, and what a run says of them. */
import type { Json } from "../targets/messages.ts";
import type { Report } from "../../src/report/report.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import type { Limits } from "../../src/http/limits.ts";
import { leaveMarkdown } from "../targets/markdown-left.ts";
import { serve } from "../targets/serve.ts";
import { apiKey, correctService, type Service } from "../targets/service.ts";

/** Some hundred bytes of a page. */
export const sentence =
  "The next ferry leaves at [14:20](https://ferries.example/14), from pier 3, if the weather allows it. ";

/** Judges a target by its scrapes, on a socket. */
export async function reportOn(
  scrapes: Service["scrapes"],
  { only = [], limits = {} }: { only?: readonly string[]; limits?: Partial<Limits> } = {},
): Promise<Report> {
  const service: Service = { ...correctService, scrapes };
  await using served = await serve(service);
  const { open, ended } = service.sessions;
  const target = liveTarget({ baseUrl: served.url, apiKey, sessionId: open, endedSessionId: ended });
  return await runConformance(target, { profile: "full", only, limits });
}

/** Puts what the options leave of a text behind the Markdown of each answer that has any. */
export const followedBy =
  (text: () => string): Service["scrapes"] =>
  (options, request) => {
    const value = correctService.scrapes(options, request);
    return isPage(value) ? { ...value, markdown: `${value.markdown}${leaveMarkdown(text(), options)}` } : value;
  };

const isPage = (value: unknown): value is Record<string, Json> & { markdown: string } =>
  typeof value === "object" && value !== null && "markdown" in value && value.markdown !== "";

/** Returns the results that no correct target may get. What is only assumed of the same page twice does not count where it is another one. */
export const complaints = ({ checks }: Report, isSame: boolean): Report["checks"] =>
  checks.filter(({ level, status }) => status === "error" || (status === "fail" && (isSame || level === "stated")));
