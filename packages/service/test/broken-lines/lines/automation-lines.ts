import type { BrokenLine } from "../broken-line.ts";

const routes = "service/src/http/automation-routes.ts";
const stream = "service/src/event-stream.ts";
const runs = "service/src/runs/perform-run.ts";
const ends = "service/src/runs/terminal-events.ts";
const done = "metadata: { thread_id: id,";

/** What starts a run, and the form and the fields of its events. */
export const automationLines: readonly BrokenLine[] = [
  {
    file: routes,
    text: '"the body is not valid JSON" }, 400)',
    becomes: '"the body is not valid JSON" }, 422)',
    requirement: "automation.400-invalid-json",
  },
  {
    file: routes,
    text: '"query is missing: give the task as a string" }, 400)',
    becomes: '"query is missing: give the task as a string" }, 422)',
    requirement: "automation.400-query-missing",
  },
  {
    file: routes,
    text: '"content-type": "text/event-stream"',
    becomes: '"content-type": "application/json"',
    requirement: "stream.content-type",
  },
  {
    file: stream,
    text: "`data: ${event}\\n\\n`",
    becomes: "`${event}\\n\\n`",
    requirement: "stream.line-form",
  },
  {
    file: stream,
    text: "`data: ${event}\\n\\n`",
    becomes: "`data: [${event}]\\n\\n`",
    requirement: "stream.data-is-json-object",
  },
  {
    file: stream,
    text: "`data: ${event}\\n\\n`",
    becomes: "`data: ${JSON.stringify({ ...JSON.parse(event), type: undefined })}\\n\\n`",
    requirement: "stream.event-has-type",
  },
  {
    file: stream,
    text: "controller.close();",
    becomes: "",
    requirement: "stream.closes-after-done",
    sample: true,
  },
  {
    file: stream,
    text: "if (piece.isLast) break;",
    becomes: "if (piece.isLast) { controller.enqueue(encoder.encode(piece.text)); break; }",
    requirement: "stream.one-terminal-event",
  },
  {
    file: stream,
    text: "controller.close();",
    becomes:
      'controller.enqueue(encoder.encode("data: {\\"type\\":\\"status\\",\\"status\\":\\"idle\\"}\\n\\n")); controller.close();',
    requirement: "event.done.terminal",
  },
  {
    file: "service/src/runs/event-body.ts",
    text: "text: writeFrame(lastEventId, outcome), isLast",
    becomes: 'text: "", isLast',
    requirement: "stream.one-terminal-event",
  },
  {
    file: runs,
    text: "viewer_url: viewerUrl(session.id),",
    becomes: "",
    requirement: "event.notte_session_data.viewer_url",
  },
  { file: runs, text: 'status: "running"', becomes: 'state: "running"', requirement: "event.status.status" },
  {
    file: runs,
    text: "function_id, function_name, created_at });",
    becomes: "function_id, created_at });",
    requirement: "event.function_uploaded.function_name",
  },
  {
    file: runs,
    text: "const record = { function_id: randomUUID(),",
    becomes: 'const record = { function_id: "fn_1",',
    requirement: "event.function_uploaded.function_id-uuid",
  },
  {
    file: runs,
    text: done,
    becomes: "metadata: { thread_id: `thread_${id}`,",
    requirement: "event.done.metadata.thread_id-uuid",
  },
  { file: runs, text: done, becomes: "metadata: { thread: id,", requirement: "event.done.metadata.thread_id" },
  {
    file: ends,
    text: "total_cost_usd: Number(costUsd)",
    becomes: "total_cost_usd: costUsd",
    requirement: "event.done.total_cost_usd-number",
  },
  {
    file: ends,
    text: "total_cost_usd: Number(costUsd)",
    becomes: "total_cost_usd: undefined",
    requirement: "limits.cost-reported",
  },
];
