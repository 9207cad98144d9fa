import { describe, expect, test } from "vitest";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { apiKey, endedSessionId, json, sessionId, startServer, type Alter } from "../server.ts";

const given = { apiKey, sessionId, endedSessionId };

/** Sends every request to the same path at another origin, or to another path. */
const redirect = (to: (path: string) => string): Alter => {
  return (_, { url }) => ({ status: 308, headers: { location: to(url) }, body: "" });
};

describe("an address that is not the target's", () => {
  test("is no fault of a target that knows no path below it", async () => {
    await using server = await startServer(() => json(404, {}));
    const report = await runConformance(liveTarget({ ...given, baseUrl: server.url }));
    expect(report.checks.filter(({ status }) => status === "fail")).toEqual([]);
    expect(report.verdict).toBe("unfinished");
    const check = report.checks.find(({ id }) => id === "automation/401-missing-key");
    expect(check?.reason).toMatch(/404.*with the key.*automation URL/);
  });

  test("is told when the target takes https only", async () => {
    await using server = await startServer(redirect((path) => `https://api.example${path}`));
    await expect(runConformance(liveTarget({ ...given, baseUrl: server.url }))).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("https://api.example"),
    });
  });

  test("is not guessed from a redirect to another path", async () => {
    await using server = await startServer(redirect((path) => `${path}/`));
    expect((await runConformance(liveTarget({ ...given, baseUrl: server.url }))).verdict).toBe("not-conforming");
  });

  test.for(["?", "#", "/?", "/a/#"])("may not end in %s", (end) => {
    expect(() => liveTarget({ ...given, baseUrl: `https://api.example${end}` })).toThrow(
      "give the address without them",
    );
  });
});
