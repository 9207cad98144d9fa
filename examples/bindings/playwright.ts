// conformance.spec.ts: npx playwright test. It needs no browser.
import { liveTarget } from "@cloud-browser/conformance";
import { describeConformance } from "@cloud-browser/conformance/playwright";

describeConformance({
  target: () => liveTarget({ baseUrl: "http://127.0.0.1:8080", apiKey: "test-key", sessionId: "open-session" }),
  skip: ["operation:automation_start"],
});
