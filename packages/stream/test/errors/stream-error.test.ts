import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readAutomationStream, StreamError, type StreamReport } from "../../src/index.ts";

/** A canary for everything that a stream may carry. */
const secret = "s3cr3t";

const bodies = [
  { name: "a damaged line", body: `data: {"${secret}\n\n` },
  { name: "an object without type", body: `data: {"a":"${secret}"}\n\n` },
  { name: "a stream that ends early", body: `data: {"type":"status","status":"${secret}"}\n\n` },
  { name: "an event that is too large", body: `data: {"type":"status","status":"${secret.repeat(20)}"}\n\n` },
  { name: "a body that is no stream", body: `{"detail":"${secret}"}` },
  { name: "an error response", body: `{"detail":"${secret}"}`, status: 401 },
];
test.for(bodies)("says nothing of what the stream carried: $name", async ({ body, status = 200 }) => {
  const reports: StreamReport[] = [];
  const response = new Response(body, { status, headers: { "content-type": "text/event-stream" } });
  const onReport = (report: StreamReport): void => void reports.push(report);
  const outcome = await readAutomationStream(response, { onReport, maxEventBytes: 100 }).outcome();
  expect(outcome.type).toBe("broken");
  // Also what is hidden from everybody else: nothing of it is a property of the error.
  expect(inspect({ outcome, reports }, { depth: 9, showHidden: true })).not.toContain(secret);
  expect(JSON.stringify({ outcome, reports })).not.toContain(secret);
});

test("carries its code, its cause and the beginning of the content", () => {
  const cause = new Error("below");
  const error = new StreamError("not-a-stream", "the content is no event stream", {
    cause,
    status: 200,
    head: "<html>",
  });
  expect(error).toMatchObject({ name: "StreamError", code: "not-a-stream", cause, status: 200, head: "<html>" });
  expect(inspect(error, { showHidden: true })).not.toContain("<html>");
  expect(new Set(Reflect.ownKeys(error))).toEqual(new Set(["cause", "code", "message", "name", "stack", "status"]));
  expect(Object.keys(new StreamError("aborted", "x"))).not.toContain("status");
  expect("cause" in new StreamError("aborted", "x")).toBe(false);
});
