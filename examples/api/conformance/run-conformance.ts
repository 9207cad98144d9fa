import { prismTarget, runConformance } from "@cloud-browser/conformance";

await using mock = await prismTarget();
const report = await runConformance(mock.target, { only: ["cookies/*"] });
console.log(report.verdict); // conforming
console.log(report.checks.filter(({ status }) => status === "fail").length); // 0
