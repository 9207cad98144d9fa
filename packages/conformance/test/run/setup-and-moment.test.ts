/** Refusals that are of the setup or of the moment are no faults of a target, until its other answers show that the setup is right. */
import { describe, expect, test } from "vitest";
import { tryService } from "../kills/trial.ts";
import { json, findOperation, type Answer, type ReceivedRequest } from "../targets/messages.ts";
import { correctService } from "../targets/service.ts";
import type { Report } from "../../src/report/report.ts";

const only = ["*/status-200*", "*/is-served", "scrape/accepts-*", "relations/*"];

type When = (request: ReceivedRequest, time: number) => boolean;

/** Judges a service that gives some valid requests another answer. */
function judgeOther(other: Answer, when: When): Promise<Report> {
  const times = new Map<string, number>();
  return tryService(
    {
      ...correctService,
      revises: (answer, request) => {
        if (answer.status !== 200) return answer;
        const operation = findOperation(request) ?? "";
        const time = (times.get(operation) ?? 0) + 1;
        times.set(operation, time);
        return when(request, time) ? other : answer;
      },
    },
    { options: { only } },
  );
}

const on =
  (operation: string): When =>
  (request) =>
    findOperation(request) === operation;

/** Valid requests in every circumstance that a run knows. */
const circumstances: Readonly<Record<string, When>> = {
  "to all": () => true,
  "to scrapes": on("scrape"),
  "to reads of cookies": on("cookies"),
  "to runs": on("automation"),
  "to every third scrape": (request, time) => on("scrape")(request, time) && time % 3 === 0,
  "to every second read of cookies": (request, time) => on("cookies")(request, time) && time % 2 === 0,
  "to requests while others are under way": ({ underWay }) => underWay > 1,
  "to scrapes with instructions": ({ body }) => body.includes('"instructions":"'),
  "to scrapes that tell their origin": ({ headers }) => headers["x-service-request-origin"] !== undefined,
  "to reads of the replay": on("replay"),
};

const listFindings = ({ checks }: Report): readonly string[] =>
  checks
    .filter(({ level }) => level === "stated")
    .flatMap(({ id, findings }) => findings.map(({ requirement, received }) => `${id}: ${requirement}: ${received}`));

describe("a refusal of the setup or of the moment", () => {
  const statuses = [402, 408, 423, 424, 451, 502, 503, 504, 507, 509, 520, 529];
  const rows = Object.entries(circumstances).map(
    ([where, when], at) => [statuses[at % statuses.length] ?? 0, where, when] as const,
  );
  const further = statuses.slice(rows.length).map((status) => [status, "to all", () => true] as const);

  test.for([...rows, ...further])("by %i %s is no fault, and tells what to look at", async ([status, , when]) => {
    const report = await judgeOther(json(status, { detail: "no" }), when);
    expect(listFindings(report)).toEqual([]);
    expect(report.verdict).not.toBe("not-conforming");
    const errors = report.checks.filter((check) => check.status === "error");
    for (const { reason } of errors) expect(reason).toMatch(new RegExp(`${status}.*[?.]`));
    const isTold = errors.length > 0 || when === circumstances["to requests while others are under way"];
    expect(isTold).toBe(true);
  });
});

describe("a valid request that is answered with 500", () => {
  test.for([
    ["scrape", "scrape.status-200"],
    ["cookies", "cookies.status-200"],
    ["automation", "automation.status-200"],
  ] as const)("is a fault of the %s", async ([operation, requirement]) => {
    const report = await judgeOther(json(500, {}), on(operation));
    expect(listFindings(report).join("\n")).toContain(requirement);
  });
});

describe("an operation that knows no session", () => {
  test.for([
    ["cookies", 404],
    ["cookies", 410],
    ["scrape", 404],
  ] as const)("%s by %i is not served, where another one finds it before and after", async ([operation, status]) => {
    const report = await judgeOther(json(status, {}), on(operation));
    expect(listFindings(report).map((text) => text.split(": ").slice(0, 2).join(": "))).toContain(
      `${operation}/is-served: ${operation}.method-and-path`,
    );
    expect(report.verdict).toBe("not-conforming");
  });

  test("fails, where it finds it at other times", async () => {
    const report = await judgeOther(json(404, {}), (request, time) => on("cookies")(request, time) && time % 3 === 2);
    expect(listFindings(report).join("\n")).toContain("cookies.status-200: 404");
  });

  test("is the setup's, where no operation finds it", async () => {
    const report = await judgeOther(
      json(404, {}),
      (request, time) => on("cookies")(request, time) || on("scrape")(request, time),
    );
    expect(listFindings(report)).toEqual([]);
    expect(report.checks.find(({ id }) => id === "cookies/status-200")?.reason).toContain("Does the session exist?");
  });

  test("is the setup's, where the session ends during the run", async () => {
    let ended = false;
    const report = await judgeOther(json(404, {}), (request) => {
      ended ||= on("cookies")(request, 0);
      return ended && ["scrape", "cookies"].includes(findOperation(request) ?? "");
    });
    expect(listFindings(report)).toEqual([]);
  });
});

describe("a scrape of a session that has no page", () => {
  test.for([400, 422, 409])("is the setup's, by %i", async (status) => {
    const report = await judgeOther(json(status, { detail: status === 422 ? [] : "no page" }), on("scrape"));
    expect(listFindings(report)).toEqual([]);
    expect(report.checks.find(({ id }) => id === "scrape/status-200")?.status).toBe("error");
  });

  test("is a fault where other scrapes of it succeed", async () => {
    const report = await judgeOther(
      json(400, {}),
      (request, time) => on("scrape")(request, time) && request.body === "{}",
    );
    expect(listFindings(report).join("\n")).toContain("scrape.status-200: 400");
  });
});
