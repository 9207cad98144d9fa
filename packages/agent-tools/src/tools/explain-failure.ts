import { ClientError } from "@cloud-browser/client";
import { StreamError } from "@cloud-browser/stream";
import { ToolError } from "./tool.ts";

/** Advice after an error of the client, by its code. */
const remedies: Readonly<Record<string, string>> = {
  validation: "correct the arguments that it names, and call again",
  "bad-request": "correct the arguments, and call again",
  authentication:
    "the API key is missing, wrong, expired or has no right to this. Tell your user: whoever runs these tools sets CLOUD_BROWSER_API_KEY",
  "not-found":
    "no such session, run or function, or it is another key's: list_sessions, follow_run without run_id, or list_functions tell which there are",
  "rate-limited": "a limit is reached: end_session what is not needed, or wait and call again",
  "no-control":
    "this service speaks the interface only: tools that open or list sessions do not work with it. Ask your user for the id of an open session",
  upstream: "the service could not start it. Call again in a while",
  server: "the service failed. Call again in a while; if it stays, tell your user",
  redirect:
    "the base URL is not the service's own. Tell your user: whoever runs these tools sets CLOUD_BROWSER_BASE_URL",
  "unexpected-status": "what is at the base URL may not be this service. Tell your user",
  "unexpected-content": "what is at the base URL may not be this service. Tell your user",
  "too-large": "the page is too large to be read whole: use selector or only_main_content",
  network:
    "the service can't be reached. Call again in a while; if it stays, tell your user: CLOUD_BROWSER_BASE_URL says where it is",
  timeout: "it took too long. Call again, or read less: selector, only_main_content",
  aborted: "the call was cancelled",
  misuse: "correct the arguments, and call again",
  extraction: "compare response_format with the page: scrape without it",
  "replay-unavailable": "the replay is ready a while after end_session: call again",
};

/** A failure as an agent gets it. */
export interface ToolFailure {
  /** Description of the failure and advice: own words, and sentences of the service. */
  readonly message: string;
  /** Text of pages that explains it, if any. */
  readonly pageText?: string;
}

/** Explains an error of a tool: what happened, and what to do next. */
export function explainFailure(name: string, thrown: unknown): ToolFailure {
  if (thrown instanceof ToolError) {
    return { message: thrown.message, ...(thrown.pageText !== undefined && { pageText: thrown.pageText }) };
  }
  const { cause }: { cause?: unknown } = Object(thrown);
  const error = thrown instanceof StreamError && cause instanceof ClientError ? cause : thrown;
  if (error instanceof ClientError) {
    const wait = error.retryAfterMs === undefined ? "" : ` (in ${Math.ceil(error.retryAfterMs / 1_000)} s)`;
    const problems = error.problems.slice(0, 3).map(({ path, msg }) => `${path}: ${msg}`);
    const summary = [error.message, ...problems].join("; ");
    return { message: `${summary}. What to do: ${findRemedy(name, error)}${wait}` };
  }
  if (thrown instanceof StreamError) {
    return { message: `${thrown.message}. What to do: the run may go on: follow_run without run_id lists runs` };
  }
  return {
    message: `${name} failed: ${thrown instanceof Error ? thrown.name : typeof thrown}. What to do: call again; if it stays, tell your user`,
  };
}

function findRemedy(name: string, { code, status }: ClientError): string {
  if (name === "get_replay" && (code === "not-found" || status === 409)) {
    return "a replay is there a while after the session has ended, until its retention is over: end_session first, then call again";
  }
  if (status === 409) return "it is not in the state for this: list_sessions tells how it stands";
  return remedies[code] ?? "tell your user";
}
