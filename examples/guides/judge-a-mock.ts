import { prismTarget, runConformance } from "@cloud-browser/conformance";

await using mock = await prismTarget(); // or liveTarget({ baseUrl, apiKey, sessionId, endedSessionId })
const report = await runConformance(mock.target, { profile: "free", skip: ["level:assumed"] });
console.log(report.verdict, report.summary.checks);
