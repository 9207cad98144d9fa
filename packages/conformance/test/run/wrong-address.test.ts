import { describe, expect, test } from "vitest";
import { liveTarget } from "../../src/run/live-target.ts";
import { apiKey, endedSessionId, json, sessionId, type Alter } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";

const setup = { apiKey, sessionId, endedSessionId };

/** Sends every request to the same path at another origin, or to another path. */
const redirect = (to: (path: string) => string): Alter => {
  return (_, { url }) => ({ status: 308, headers: { location: to(url) }, body: "" });
};

describe("an address that is not the target's", () => {
  test("is no fault of a target that knows no path below it", async () => {
    const report = await judgeWithoutSocket(() => json(404, {}), { profile: "free" });
    expect(report.checks.filter(({ status }) => status === "fail")).toEqual([]);
    expect(report.verdict).toBe("unfinished");
    const check = report.checks.find(({ id }) => id === "automation/401-missing-key");
    expect(check?.reason).toMatch(/404.*with the key.*automation URL/);
  });

  test("is told when the target takes https only", async () => {
    const report = judgeWithoutSocket(redirect((path) => `https://api.example${path}`));
    await expect(report).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("https://api.example"),
    });
  });

  test("is not guessed from a redirect to another path", async () => {
    const { verdict } = await judgeWithoutSocket(
      redirect((path) => `${path}/`),
      { profile: "free" },
    );
    expect(verdict).toBe("not-conforming");
  });

  test.for(["?", "#", "/?", "/a/#"])("may not end in %s", (end) => {
    expect(() => liveTarget({ ...setup, baseUrl: `https://api.example${end}` })).toThrow(
      "give the address without them",
    );
  });
});
