import { afterAll, describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { describeConformance } from "../../src/bindings/vitest.ts";
import { startServer, type TestServer } from "../server.ts";

let whole: TestServer | undefined;
let verdict: string | undefined;

describeConformance({
  title: "the binding on a server that conforms",
  target: async () => {
    whole = await startServer();
    return whole.target;
  },
  onReport: (report) => {
    verdict = report.verdict;
  },
});

test("the binding hands over the report", () => {
  expect(verdict).toBe("conforming");
});

let server: TestServer | undefined;
let selected: Report | undefined;

describeConformance({
  title: "the binding on a server with a known failure, and a selection",
  target: async () => {
    server = await startServer((answer, { url }) =>
      url.endsWith("/cookies") && answer.status === 200 ? { ...answer, body: '{"cookies":7}' } : answer,
    );
    return server.target;
  },
  profile: "read-only",
  only: ["cookies/*"],
  skip: ["cookies/refuses-*"],
  expectedFailures: [{ id: "cookies/cookies-type", reason: "It is mended soon.", owner: "us", expires: "9999-12-31" }],
  onReport: (report) => {
    selected = report;
  },
});

describe("the binding", () => {
  test("judges the selection alone, under the profile that was given", () => {
    expect(selected?.run).toMatchObject({ profile: "read-only", checks: { selected: selected?.checks.length } });
    expect(selected?.checks.every(({ id }) => /^cookies\/(?!refuses)/.test(id))).toBe(true);
    expect(new Set(selected?.exchanges.map(({ request }) => request.method))).toEqual(new Set(["GET"]));
  });

  test("lets a known failure pass", () => {
    const check = selected?.checks.find(({ id }) => id === "cookies/cookies-type");
    expect(check).toMatchObject({ status: "fail", expected: { owner: "us" } });
  });

  test("says what a selection of nothing is, before any test is registered", () => {
    expect(() => describeConformance({ target: never, only: ["cookies/jsn"] })).toThrow('did you mean "cookies/json"');
  });
});

function never(): never {
  throw new Error("the target is not asked for");
}

afterAll(async () => {
  await whole?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
