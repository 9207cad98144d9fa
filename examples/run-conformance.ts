// Judges a server against the interface, and says what does not hold.
//
//   node --conditions=@cloud-browser/source examples/run-conformance.ts [session]
//
// Address and key come from CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY; without an address a mock is judged.
import { liveTarget, prismTarget, runConformance } from "@cloud-browser/conformance";

const baseUrl = process.env["CLOUD_BROWSER_BASE_URL"];
await using mock = baseUrl ? undefined : await prismTarget();
if (mock) console.log(`CLOUD_BROWSER_BASE_URL is not set: judging a mock at ${mock.target.baseUrl}`);
const target =
  mock?.target ??
  liveTarget({
    baseUrl: baseUrl ?? "",
    apiKey: process.env["CLOUD_BROWSER_API_KEY"] ?? "",
    sessionId: process.argv[2] ?? "",
  });

const report = await runConformance(target, { profile: "free" }); // starts no run that a live target bills
console.log(report.sentence);
for (const check of report.checks) {
  if (check.status !== "fail") continue;
  console.log(`\n${check.id}: ${check.title}`);
  for (const { where, expected, received } of check.findings) console.log(`- ${where}: ${expected}, not ${received}`);
}
process.exitCode = report.exitCode;
