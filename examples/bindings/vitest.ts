import { liveTarget } from "@cloud-browser/conformance";
import { describeConformance } from "@cloud-browser/conformance/vitest";

describeConformance({
  target: () => liveTarget({ baseUrl: "http://127.0.0.1:8080", apiKey: "test-key", sessionId: "open-session" }),
  skip: ["operation:automation_start"],
  expectedFailures: [
    { id: "scrape/markdown-present", reason: "Issue 12", owner: "the scrape team", expires: "2026-12-31" },
  ],
});
