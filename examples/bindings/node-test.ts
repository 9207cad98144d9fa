// conformance.test.ts: node --test
import { liveTarget } from "@cloud-browser/conformance";
import { describeConformance } from "@cloud-browser/conformance/node-test";

describeConformance({
  target: () => liveTarget({ baseUrl: "http://127.0.0.1:8080", apiKey: "test-key", sessionId: "open-session" }),
});
