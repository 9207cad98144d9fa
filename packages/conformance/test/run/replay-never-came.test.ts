/** Errors of a replay are not shown, and recordings go after 24 hours: one that never comes proves nothing, and breaks nothing. */
import { describe, expect, test } from "vitest";
import { tryService } from "../kills/trial.ts";
import { json, findOperation, type Answer, type ReceivedRequest } from "../targets/messages.ts";
import { correctService } from "../targets/service.ts";
import type { Report } from "../../src/report/report.ts";

const only = ["operation:session_replay"];

/** Judges a service that gives reads of the replay other answers. */
const judgeReplay = (other: (answer: Answer, request: ReceivedRequest) => Answer): Promise<Report> =>
  tryService(
    {
      ...correctService,
      revises: (answer, request) =>
        findOperation(request) === "replay" && answer.status === 200 ? other(answer, request) : answer,
    },
    { options: { only } },
  );

const findStatus = ({ checks }: Report): Report["checks"][number] | undefined =>
  checks.find(({ id }) => id === "replay/status-200");

const empty = (status: number, headers: Answer["headers"] = {}): Answer => ({ status, headers, pieces: [] });

describe("the replay of an ended session that never comes", () => {
  test.for([201, 202, 204, 206, 304, 400, 401, 402, 403, 404, 406, 409, 410, 412, 413, 418, 422, 423, 424, 425, 428])(
    "makes a run unfinished, by %i",
    async (status) => {
      const report = await judgeReplay(() => (status === 422 ? json(422, { detail: [] }) : empty(status)));
      expect(report.verdict).toBe("unfinished");
      expect(findStatus(report)).toMatchObject({ status: "error", reason: expect.stringContaining(String(status)) });
      expect(report.checks.filter((check) => check.status === "fail" && check.level === "stated")).toEqual([]);
    },
  );

  test.for([500, 502, 503, 504, 507, 520, 529])("makes a run unfinished, by %i", async (status) => {
    const report = await judgeReplay(() => json(status, { detail: "no" }));
    expect([report.verdict, findStatus(report)?.status]).toEqual(["unfinished", "error"]);
  });

  test("makes a run unfinished, by a redirect to the MP4", async () => {
    const report = await judgeReplay(() => empty(302, { Location: "https://recordings.example/7c1d.mp4?sig=b" }));
    expect([report.verdict, findStatus(report)?.status]).toEqual(["unfinished", "error"]);
  });

  test("is told with every status that came", async () => {
    const report = await judgeReplay((_, { underWay }) => (underWay > 1 ? empty(204) : json(409, { detail: "wait" })));
    expect(findStatus(report)?.reason).toContain("409, 204");
  });

  test.for([
    [405, "replay.method-and-path"],
    [501, "service.offers-replay"],
    [421, "address.base_url"],
  ] as const)("is a fault where %i says that there is no such operation", async ([status, requirement]) => {
    const report = await judgeReplay(() => empty(status));
    expect(report.verdict).toBe("not-conforming");
    expect(report.checks.flatMap(({ findings }) => findings.map((finding) => finding.requirement))).toContain(
      requirement,
    );
  });
});

test("a replay that comes with another success breaks the sentence about 200", async () => {
  const report = await judgeReplay((answer) => ({ ...answer, status: 203 }));
  expect(findStatus(report)?.findings.map(({ requirement }) => requirement)).toEqual(["replay.status-200"]);
});

test("a replay that comes only after a refusal conforms", async () => {
  const report = await judgeReplay((answer, { underWay }) => (underWay === 1 ? json(409, { detail: "wait" }) : answer));
  expect(report.verdict).toBe("conforming");
});
