import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Snippet } from "../ui/copy-button.tsx";
import { ErrorNotice } from "../ui/state.tsx";
import { formatDuration, Time } from "../ui/time.tsx";
import { readReportFile, type ConformanceReport, type ReportedCheck } from "./read-report.ts";
import { toError } from "../ui/submit.tsx";

/** Page that shows a report of the conformance suite that is dropped here. It stays in this page: nothing is sent. */
export function ReportsPage(): JSX.Element {
  const report = useSignal<ConformanceReport | undefined>(undefined);
  const error = useSignal<Error | undefined>(undefined);
  const isOver = useSignal(false);
  const read = async (file: Blob | undefined): Promise<void> => {
    if (!file) return;
    try {
      report.value = await readReportFile(file);
      error.value = undefined;
    } catch (thrown) {
      error.value = toError(thrown);
    }
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    isOver.value = false;
    void read(event.dataTransfer?.files[0]);
  };
  return (
    <>
      <header class="page-head">
        <h1>Reports</h1>
      </header>
      <label
        class={isOver.value ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={drop}
      >
        <strong>Drop a report.json here, or choose one.</strong>
        <span class="hint">It is read in this page, and sent nowhere.</span>
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
        />
      </label>
      {error.value && <ErrorNotice error={error.value} />}
      {report.value ? (
        <ShownReport report={report.value} />
      ) : (
        <>
          <h2>How one is made</h2>
          <Snippet
            label="Command that makes a report"
            text={`CLOUD_BROWSER_API_KEY=… npx @cloud-browser/conformance run --base-url ${location.origin} --json report.json`}
          />
        </>
      )}
    </>
  );
}

function ShownReport({ report }: { report: ConformanceReport }): JSX.Element {
  const { verdict, sentence, startedAt, durationMs, target, suite, summary, checks } = report;
  const isGood = verdict === "conforming";
  const failures = checks.filter(({ status }) => status === "fail" || status === "error");
  return (
    <section aria-label="Report">
      <p class={`notice ${isGood ? "good" : "bad"}`}>
        <strong>{verdict}</strong> {sentence}
      </p>
      <p class="facts">
        <span>
          {target.name} {target.baseUrl && <code>{target.baseUrl}</code>}
        </span>
        <span>
          judged <Time at={startedAt} /> in {formatDuration(durationMs)}
        </span>
        <span>suite {suite.version}</span>
      </p>
      <dl class="tally">
        {(["pass", "fail", "error", "skip"] as const).map((status) => (
          <div key={status} class={status}>
            <dt>{status}</dt>
            <dd>{summary.checks[status]}</dd>
          </div>
        ))}
      </dl>
      {failures.length > 0 && (
        <>
          <h2>What is wrong</h2>
          <ul class="checks">
            {failures.map((check) => (
              <Check key={check.id} check={check} isOpen={failures.length < 6} />
            ))}
          </ul>
        </>
      )}
      <details>
        <summary>All {checks.length} checks</summary>
        <ul class="checks">
          {checks.map((check) => (
            <li key={check.id}>
              <span class={`badge ${check.status}`}>{check.status}</span> <code>{check.id}</code> {check.title}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function Check({ check, isOpen }: { check: ReportedCheck; isOpen: boolean }): JSX.Element {
  const { id, title, status, reason, requirements, findings } = check;
  return (
    <li>
      <details open={isOpen}>
        <summary>
          <span class={`badge ${status}`}>{status}</span> {title}
        </summary>
        <p class="sub">
          <code>{id}</code> · {requirements.join(", ")}
        </p>
        {reason !== undefined && <p>{reason}</p>}
        <ul>
          {findings.map((finding, index) => (
            <li key={index}>
              {finding.where}: expected {finding.expected}, received {finding.received}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
