import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { reportSchema } from "./report-schema.ts";
import type { Report } from "./report.ts";
import { formatMessage, SuiteError } from "../http/suite-error.ts";

/** Cache: compiled when the first report is read. */
let validator: ValidateFunction<Report> | undefined;

function compileValidator(): ValidateFunction<Report> {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajvFormats.default(ajv, ["date", "date-time"]);
  return ajv.compile<Report>(reportSchema);
}

/**
 * Reads a report that a run has written as JSON, and makes sure that it is one.
 *
 * @throws {SuiteError} `usage` when the file can't be read, is not JSON, is not a report, or has a form that this version does not know.
 */
export function readReport(path: string): Report {
  const value = readJson(path);
  validator ??= compileValidator();
  if (validator(value)) return value;
  if (typeof value !== "object" || value === null || !("version" in value) || !("suite" in value)) {
    throw new SuiteError("usage", `${path} is not a conformance report; give the report.json of a run`);
  }
  if (value.version !== 1) {
    const version = JSON.stringify(value.version)?.slice(0, 20);
    throw new SuiteError(
      "usage",
      `${path} has the report version ${version}; this version of the suite reads version 1`,
    );
  }
  const [error] = validator.errors ?? [];
  const where = error?.instancePath === "" ? "at its root" : `at ${error?.instancePath}`;
  throw new SuiteError(
    "usage",
    `${path} is a damaged report, or one of another version of the suite: ${where} it ${error?.message}`,
  );
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new SuiteError("usage", `the report can't be read: ${formatMessage(cause)}`, { cause });
  }
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new SuiteError("usage", `${path} is not JSON; give the report.json of a run`, { cause });
  }
}
