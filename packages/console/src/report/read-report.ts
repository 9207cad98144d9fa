/** Counts by status. */
export interface StatusCounts {
  readonly pass: number;
  readonly fail: number;
  readonly error: number;
  readonly skip: number;
}

/** One check of a report. */
export interface ReportedCheck {
  readonly id: string;
  readonly title: string;
  readonly status: keyof StatusCounts;
  readonly level: string;
  readonly operation?: string;
  readonly reason?: string;
  readonly requirements: readonly string[];
  readonly findings: readonly {
    readonly where: string;
    readonly expected: string;
    readonly received: string;
  }[];
}

/** Parts of a report of the conformance suite that are shown. */
export interface ConformanceReport {
  readonly verdict: string;
  readonly sentence: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly target: { readonly name: string; readonly baseUrl?: string };
  readonly suite: { readonly version: string };
  readonly summary: { readonly checks: StatusCounts; readonly requirements: StatusCounts; readonly exchanges: number };
  readonly checks: readonly ReportedCheck[];
}

/** Largest file that is read, in bytes. */
const mostBytes = 200_000_000;

/**
 * Reads the file of a report.
 *
 * @throws {Error} with what to do, when it is none.
 */
export async function readReportFile(file: Blob): Promise<ConformanceReport> {
  if (file.size > mostBytes) throw new Error("the file is larger than 200 MB: a report of the suite is smaller");
  let value: unknown;
  try {
    value = JSON.parse(await file.text());
  } catch (error) {
    throw new Error("the file is not JSON: choose the report.json that the suite has written", { cause: error });
  }
  if (!isReport(value)) throw new Error("the file is no report of the suite: choose its report.json");
  return value;
}

function isReport(value: unknown): value is ConformanceReport {
  const { verdict, sentence, summary, checks, target, suite }: Partial<Record<keyof ConformanceReport, unknown>> =
    Object(value);
  const { checks: counts }: { checks?: unknown } = Object(summary);
  return (
    typeof verdict === "string" &&
    typeof sentence === "string" &&
    typeof Object(counts).pass === "number" &&
    typeof Object(target).name === "string" &&
    Object(suite) === suite &&
    Array.isArray(checks) &&
    checks.every((check: unknown) => typeof Object(check).id === "string" && typeof Object(check).status === "string")
  );
}
