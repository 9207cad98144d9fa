/** Judges one target in a process of its own, and tells what that took. Started by `hostile-process.ts`. */
import { renderReport } from "../../src/cli/report-writers.ts";
import { reportFormats } from "../../src/configuration/configuration.ts";
import { renderAnnotations } from "../../src/report/annotations.ts";
import { renderTerminal } from "../../src/report/terminal.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { reportSchema } from "../../src/report/report-schema.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import type { Limits } from "../../src/http/limits.ts";

const [baseUrl = "", settings = "{}", bound = ""] = process.argv.slice(2);
/** Largest growth of the memory in use, in mebibytes. */
const boundMb = Number(bound);
const limits: Partial<Limits> = JSON.parse(settings);

const inUse = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = inUse();
let peak = before;
/** Notes what is in use. Above the bound, garbage is collected first: when it would be depends on the machine, not on the suite. */
const measure = (): void => {
  if (inUse() - before > boundMb * 2 ** 20) globalThis.gc?.();
  peak = Math.max(peak, inUse());
};
setInterval(measure, 10).unref();
const rssBefore = process.resourceUsage().maxRSS;

const target = liveTarget({ baseUrl, apiKey: "hostile-key-0123456789", sessionId: "open", endedSessionId: "ended" });
const report = await runConformance(target, {
  profile: "full",
  limits,
  onProgress: measure,
});
measure();
const judgedAt = performance.now();
const artefacts: Record<string, string> = {
  annotations: renderAnnotations(report),
  terminal: renderTerminal(report),
};
for (const format of reportFormats) artefacts[format] = await renderReport(report, format);
measure();
const sizes = Object.fromEntries(Object.entries(artefacts).map(([name, text]) => [name, Buffer.byteLength(text)]));
// That the schema itself is one is proved in run-conformance.test.ts.
const ajv = new Ajv2020({ strictTypes: false, validateSchema: false });
ajvFormats.default(ajv);
const isReport = ajv.compile(reportSchema);
isReport(JSON.parse(artefacts["json"] ?? ""));
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const acting = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2028\u2029\u2066-\u2069\uFFFE]/;
const result = {
  verdict: report.verdict,
  exitCode: report.exitCode,
  sentence: report.sentence,
  reasons: [...new Set(report.checks.map(({ reason }) => reason ?? ""))].slice(0, 8),
  counts: report.summary.checks,
  exchanges: report.exchanges.length,
  judgedMs: Math.round(judgedAt),
  renderMs: Math.round(performance.now() - judgedAt),
  grownMb: Math.round((peak - before) / 2 ** 20),
  rssMb: Math.round((process.resourceUsage().maxRSS - rssBefore) / 2 ** 10),
  sizes,
  acting: Object.entries(artefacts).flatMap(([name, text]) => (acting.test(text) ? [name] : [])),
  invalid: isReport.errors,
  leftOut: report.checks.reduce((sum, { findingsLeftOut = 0 }) => sum + findingsLeftOut, 0),
  scripts: (artefacts["html"]?.match(/<script/g) ?? []).length,
};
process.stdout.write(JSON.stringify(result));
