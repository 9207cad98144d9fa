/** The published schema of reports. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { reportSchema } from "../../src/report/report-schema.ts";
import type { Report } from "../../src/report/report.ts";

const ajv = new Ajv2020({ strictTypes: false });
ajvFormats.default(ajv);
const validate = ajv.compile(reportSchema);

/** Returns what is wrong with a report, as it is written; null when nothing is. */
export function schemaProblems(report: Report): ErrorObject[] | null {
  validate(JSON.parse(JSON.stringify(report)));
  return validate.errors ?? null;
}
