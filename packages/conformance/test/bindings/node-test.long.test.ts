import { expect, test } from "vitest";
import { startServer } from "../server.ts";
import { boundFile, Project, guideExample } from "./bound.ts";

test("node:test fails when the run can't be made, and says why", async () => {
  using project = new Project();
  const { code, output, reports } = await project.tap(boundFile("node-test"), { TARGET: "http://127.0.0.1:1" });
  expect(code).toBe(1);
  expect(output).toContain("no connection to http://127.0.0.1:1");
  expect(Object.values(reports).filter(({ status }) => status === "passed")).toEqual([]);
});

test("the example of the guide judges a server that conforms", async () => {
  await using conforming = await startServer();
  using project = new Project();
  const { code, reports } = await project.tap(guideExample("In node:test", conforming.url));
  expect(code).toBe(0);
  expect(reports["cookies/status-200"]?.status).toBe("passed");
});
