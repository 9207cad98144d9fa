import { beforeAll, describe, expect, test } from "vitest";
import type { Exchange } from "../../src/http/exchange.ts";
import { pageObservers } from "../../src/observations/page-observers.ts";
import { pageChecks } from "../../src/checks/pages/page-checks.ts";
import type { Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { apiKey, signature, SiteServer, type Twist } from "./site-server.ts";
import { correctTwists } from "./correct-twists.ts";
import { collectBlamed, collectComplaints, runSuite, quick, withoutRecording, withStatus } from "./run-suite.ts";
import { firstOfEachCheck } from "./faulty-servers/faulty-server.ts";
import { pageFaults } from "./faulty-servers/faulty-servers.ts";
import { everyNth } from "../every-nth.ts";

describe("a server that conforms", () => {
  let report: Report;
  beforeAll(async () => {
    report = await runSuite();
  });

  test("passes every check of pages and recordings", () => {
    const later = ["recording/addresses-expire"]; // an hour from now
    const untold = ["recording/addresses-expire-as-told"]; // its addresses do not say when; those of a correct twist do
    const pictures = ["recording/shows-the-page", "recording/shows-changes", "recording/keeps-time"]; // in pictures.long.test.ts
    const unseen = new Set([...later, ...untold, ...pictures]);
    expect(withStatus(report, "pass")).toEqual(pageChecks.map(({ id }) => id).filter((id) => !unseen.has(id)));
    expect(withStatus(report, "error")).toEqual([]);
    expect(report.verdict).toBe("conforming");
  });

  test("shows what the interface leaves open", () => {
    const valuesById = new Map(report.observations.map(({ id, values }) => [id, values]));
    expect(valuesById.get("open.scrape.markdown-dialect")).toContain("tables with |");
    expect(valuesById.get("open.image.category-choice")).toContain('favicon: "favicon"');
    expect(valuesById.get("open.cookies.expirationDate-unit")).toContain("seconds since 1970");
    expect(valuesById.get("open.replay.url-form")).toEqual(["http, query: of, signature, until"]);
    expect(valuesById.get("open.replay.video_duration_ms-zero")).toEqual([
      "video_duration_ms is positive",
      "the MP4 lasts 2000 ms",
    ]);
  });

  /** One that differs in most; the others are in pages.long.test.ts. */
  test.for(Object.entries(correctTwists).slice(1, 2))("gets no finding %s", async ([, twist]) => {
    expect(await collectComplaints(twist)).toEqual({ findings: [], errors: [], verdict: "conforming" });
  });
});

describe("a server that", () => {
  /** Of a third of the checks the first, and no other check is made. That nothing else fails is proven for every server in pages.long.test.ts. */
  const first = everyNth(firstOfEachCheck(pageFaults), 3);

  test.for(first)("$name fails $check", async ({ twist, check, requirement }) => {
    expect(await collectBlamed(twist, { only: [check] })).toEqual({ checks: [check], requirements: [requirement] });
  });

  test("breaks a sentence is there for every check", () => {
    const onPictures = ["recording/shows-the-page", "recording/shows-changes", "recording/keeps-time"];
    const broken = new Set([...pageFaults.map(({ check }) => check), ...onPictures]);
    expect([...broken].sort()).toEqual(pageChecks.map(({ id }) => id).sort());
  });
});

describe("downloads", () => {
  test("carry no credentials, and no report has their queries, or the values of cookies", async () => {
    const downloaded: string[] = [];
    await using server = await SiteServer.start({
      file(path, answer) {
        downloaded.push(path);
        return answer;
      },
    });
    const report = await runConformance(server.target, { ...quick, only: ["page/cookies-*", "recording/*"] });
    expect(downloaded).not.toEqual([]);
    expect(server.leaked).toBe(0);
    const text = JSON.stringify(report);
    const values = [...server.sessions.values()].flatMap(({ browser }) => browser.cookies.map(({ value }) => value));
    expect(values).not.toEqual([]);
    for (const secret of [apiKey, signature, ...values]) expect(text).not.toContain(secret);
  });

  test("that are refused with an answer that repeats the query leave no trace of it", async () => {
    const refused: Twist = {
      file: (_, answer) => ({
        status: 403,
        headers: { "x-echo": `signature=${signature}` },
        body: `<a>${signature}</a>${String(answer.status)}`,
      }),
    };
    const report = await runSuite(refused, { only: ["recording/*"] });
    expect(withStatus(report, "fail")).toEqual(["recording/mp4-downloads", "recording/segments-download"]);
    expect(JSON.stringify(report)).not.toContain(signature);
  });
});

describe("sessions", () => {
  test("are opened for the checks that need them, told in the report, and ended", async () => {
    await using server = await SiteServer.start();
    const report = await runConformance(server.target, { ...quick, only: ["page/cookies-*", "recording/mp4-*"] });
    expect(report.target.openedSessions).toEqual(
      ["recording", "article", "product"].map((page, index) => ({
        page,
        sessionId: [...server.sessions.keys()][index],
        ended: true,
      })),
    );
    expect([...server.sessions.values()].every(({ ended }) => ended)).toBe(true);
  });

  test("whose addresses expire within reach are asked for again, and pass when they are dead", async () => {
    const report = await runSuite(
      { lastsMs: 1_000 },
      { only: ["recording/addresses-expire", "recording/addresses-work-*"] },
    );
    expect(withStatus(report, "pass")).toEqual(["recording/addresses-expire"]);
  });

  test("are not opened when no check needs one", async () => {
    await using server = await SiteServer.start();
    await runConformance(server.target, { ...quick, only: ["automation/401-*"] });
    expect(server.sessions.size).toBe(0);
  });

  test("are ended when the run fails", async () => {
    await using server = await SiteServer.start();
    let opened = 0;
    const openSession = async (url: string): Promise<string> => {
      opened += 1;
      if (opened === 2) throw new Error(`no room for ${apiKey}`);
      return server.open(url);
    };
    const run = runConformance({ ...server.target, openSession }, quick);
    await expect(run).rejects.toMatchObject({
      code: "session-failed",
      message: "the session could not be opened or ended: no room for [redacted]",
    });
    expect([...server.sessions.values()].map(({ ended }) => ended)).toEqual([true]);
  });

  test("that could not be opened are told with the causes of that, without the key", async () => {
    await using server = await SiteServer.start();
    const cause = Object.assign(new AggregateError([]), { code: `ECONNREFUSED of ${apiKey}` });
    const failed = new TypeError("fetch failed", { cause });
    const openSession = async (): Promise<string> => Promise.reject(failed);
    await expect(runConformance({ ...server.target, openSession }, quick)).rejects.toMatchObject({
      message: "the session could not be opened or ended: fetch failed: ECONNREFUSED of [redacted]",
    });
  });

  test("that no browser comes for are the setup's fault, with what to do", async () => {
    await using server = await SiteServer.start();
    const run = runConformance(
      { ...server.target, openSession: async () => "some-id" },
      { ...quick, pageTimeouts: { request: 20 } },
    );
    await expect(run).rejects.toMatchObject({
      code: "session-failed",
      message: expect.stringContaining("--site-host"),
    });
  });

  test("that can't be ended leave the recording unjudged, with the reason", async () => {
    await using server = await SiteServer.start();
    const { endSession: _, ...target } = server.target;
    const report = await runConformance(target, {
      ...quick,
      only: ["recording/mp4-is-mp4", "page/cookies-of-session"],
    });
    expect(report.checks.find(({ id }) => id === "recording/mp4-is-mp4")).toMatchObject({
      status: "skip",
      reason:
        "No ended session was given (--ended-session-id). No way to end a session was given (--end-session-command).",
    });
  });

  test("that end give the replay checks a session that has ended, when none was given", async () => {
    await using server = await SiteServer.start();
    const report = await runConformance(server.target, {
      ...quick,
      only: ["replay/status-200", "replay/mp4_url-address"],
    });
    expect(withStatus(report, "pass")).toEqual(["replay/status-200", "replay/mp4_url-address"]);
  });

  test("without a way to open them are skipped, with the reason", async () => {
    await using server = await SiteServer.start();
    const { openSession: _, ...target } = server.target;
    const report = await runConformance(target, { ...quick, only: ["page/cookies-of-session", "automation/401-*"] });
    expect(report.checks.find(({ id }) => id === "page/cookies-of-session")).toMatchObject({
      status: "skip",
      reason: "No way to open a page was given (--session-command).",
    });
  });
});

test("a recording that does not come in time is nobody's proven fault", async () => {
  const report = await runSuite({ slowRecording: 1000 }, { ...withoutRecording, only: ["recording/*"] });
  expect(withStatus(report, "fail")).toEqual([]);
  expect(report.checks.find(({ id }) => id === "recording/exists")).toMatchObject({ status: "error" });
});

describe("a selector that matches nothing", () => {
  const rows = [
    { kind: "answered with no Markdown", status: 200, markdown: "\n", want: ["200, empty"] },
    {
      kind: "answered with the whole page",
      status: 200,
      markdown: "# Harbour Ostrevane",
      want: ["200, the whole page"],
    },
    { kind: "answered with something else", status: 200, markdown: "Nothing found", want: ["200, some Markdown"] },
    { kind: "rejected", status: 422, markdown: "", want: ["422"] },
  ];

  test.for(rows)("is observed to be $kind", ({ status, markdown, want }) => {
    const observer = pageObservers.find(({ id }) => id === "open.scrape.selector-without-match");
    const bytes = Buffer.from(JSON.stringify({ markdown }));
    const exchange: Exchange = {
      id: "page/selector-without-match",
      operation: "page_scrape",
      expects: "success",
      url: "http://127.0.0.1/sessions/x/page/scrape",
      plan: { method: "POST", path: "/sessions/x/page/scrape", credentials: "key" },
      requestHeaders: {},
      startedAt: new Date(0),
      durationMs: 1,
      response: { status, headers: [], chunks: [{ atMs: 1, bytes }], end: "complete" },
    };
    expect(observer?.see([exchange]).map(({ value }) => value)).toEqual(want);
  });
});
