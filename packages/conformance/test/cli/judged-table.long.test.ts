/** The table of the documentation that tells what is judged when what is given. `UPDATE=1` writes it anew. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { serviceRuns, serviceTarget } from "../../src/embedded/service-target.ts";
import type { Target } from "../../src/target/target.ts";
import { FixtureSite } from "../../src/site/fixture-site.ts";

const file = new URL("../../../../docs/reference/what-is-judged.md", import.meta.url);

/** The service runs from its sources, too: it gets the conditions of this process. */
const condition = "--conditions=@cloud-browser/source";
beforeAll(() => void process.execArgv.push(condition));
afterAll(() => void process.execArgv.splice(process.execArgv.indexOf(condition), 1));

const [opening, closing] = ["<!-- judged -->", "<!-- /judged -->"] as const;

/** Returns the table of the page. */
const listedIn = (page: string): string => page.split(opening)[1]?.split(closing)[0] ?? "";

/** Returns a table without the padding of its columns. */
const plain = (text: string): string =>
  text
    .replaceAll(/-{3,}/g, "---")
    .replaceAll(/[^\S\n]+/g, " ")
    .trim();

/** Returns how many checks of each group were judged, in the order of the report. */
function countJudged({ checks }: Report): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { id, status } of checks) {
    const group = id.split("/", 1)[0] ?? "";
    counts.set(group, (counts.get(group) ?? 0) + (status === "pass" || status === "fail" ? 1 : 0));
  }
  return counts;
}

function formatRow(setup: string, report: Report): string {
  const counts = [...countJudged(report)].filter(([, count]) => count > 0);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return `| ${setup} | ${all} | ${counts.map(([group, count]) => `${group} ${count}`).join(", ")} |`;
}

/** Opens a session on a page with text, links, images and a form, and one that has ended. */
async function openSessions(target: Target, site: FixtureSite): Promise<{ sessionId: string; endedSessionId: string }> {
  const open = async (): Promise<string> => (await target.openSession?.(site.findEntrance("article"))) ?? "";
  const [sessionId, endedSessionId] = [await open(), await open()];
  await target.endSession?.(endedSessionId);
  return { sessionId, endedSessionId };
}

test("tells what is judged when what is given", { timeout: 600_000 }, async () => {
  await using service = await serviceTarget();
  await using site = await FixtureSite.start();
  const { baseUrl, apiKey, query, openSession, endSession } = service.target;
  const { sessionId, endedSessionId } = await openSessions(service.target, site);
  const open = { baseUrl, apiKey, query, sessionId };
  const both = { ...open, endedSessionId };
  const runs = { profile: "full", maxRuns: serviceRuns } as const;

  expect(() => liveTarget({ baseUrl, apiKey })).toThrow(/no open session/);
  const withOpen = await runConformance(liveTarget(open));
  const withEnded = await runConformance(liveTarget(both));
  const withRuns = await runConformance(liveTarget(both), runs);
  const withPages = await runConformance(
    liveTarget({ ...both, ...(openSession && { openSession }), ...(endSession && { endSession }) }),
    runs,
  );

  const table = [
    `| what is given | checks judged, of ${withPages.checks.length} | by group |`,
    "| --- | --- | --- |",
    "| an address and a key | 0 | none: the command says that a session is missing, and ends with 2 |",
    formatRow("also an open session: `--session-id`", withOpen),
    formatRow("also an ended session: `--ended-session-id`", withEnded),
    formatRow("also permission for runs: `--profile full`", withRuns),
    formatRow("also a way to open pages: `--session-command`", withPages),
  ];
  const [before = "", rest = ""] = readFileSync(file, "utf8").split(opening);
  const [, after = ""] = rest.split(closing);
  const edited = `${before}${opening}\n\n${table.join("\n")}\n\n${closing}${after}`;
  if (process.env["UPDATE"] === "1") writeFileSync(file, edited);
  expect(plain(listedIn(readFileSync(file, "utf8")))).toBe(plain(table.join("\n")));
});
