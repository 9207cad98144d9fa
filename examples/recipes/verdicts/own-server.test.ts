// Judges the server that you write, in vitest: each check is a test of its own.
import { liveTarget } from "@cloud-browser/conformance";
import { describeConformance } from "@cloud-browser/conformance/vitest";

describeConformance({
  target: () =>
    liveTarget({
      baseUrl: process.env["SERVER_URL"] ?? "http://127.0.0.1:8080",
      apiKey: process.env["SERVER_KEY"] ?? "test-key",
      sessionId: process.env["SERVER_SESSION"] ?? "open-session",
    }),
  only: ["cookies/*"], // all of them: leave this out
  expectedFailures: [
    { id: "cookies/cookie-name-type", reason: "Names are numbers, issue 12", owner: "us", expires: "2099-12-31" },
  ],
});
