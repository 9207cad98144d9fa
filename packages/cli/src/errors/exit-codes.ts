import { ClientError, type ClientErrorCode } from "@cloud-browser/client";
import { StreamError } from "@cloud-browser/stream";
import { CliError, type Failure } from "./cli-error.ts";

/** All exit codes with their meaning: the table that `--help` and the guide show. */
export const exitCodes = {
  done: [0, "success; of a run: it is done"],
  failed: [1, "the run ended with an error"],
  usage: [2, "wrong call: a flag, an argument, a variable, or what the service finds invalid (422)"],
  impossible: [3, "it could not be done: no answer, a refusal, a download that failed"],
  "no-control": [4, "the base URL has no /control: it speaks the interface only"],
  authentication: [5, "the API key is missing, wrong, or lacks a role (401, 403)"],
  "not-found": [6, "there is no such session, run, function, file, profile or key (404, 410)"],
  timeout: [7, "the run ended with a timeout, or a wait took too long"],
  cancelled: [8, "the run was cancelled"],
  broken: [9, "the events of the run broke off: it may still be active"],
  interrupted: [130, "Ctrl-C"],
} as const satisfies Readonly<Record<Failure | "done", readonly [code: number, meaning: string]>>;

/** Returns the lines of the table, as `--help` shows it. */
export function exitCodeLines(): string[] {
  return Object.values(exitCodes).map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`);
}

/** Failures by error code of the client; others are `failed`. */
const failures: Partial<Record<ClientErrorCode, Failure>> = {
  aborted: "interrupted",
  authentication: "authentication",
  "bad-request": "usage",
  misuse: "usage",
  "no-control": "no-control",
  "not-found": "not-found",
  timeout: "timeout",
  validation: "usage",
};

/** Returns why a command failed; undefined for an unexpected error. */
export function classifyFailure(thrown: unknown): Failure | undefined {
  if (thrown instanceof CliError) return thrown.failure;
  if (thrown instanceof StreamError) return thrown.code === "aborted" ? "interrupted" : "broken";
  if (!(thrown instanceof ClientError)) return undefined;
  if (thrown.status === 410) return "not-found";
  return failures[thrown.code] ?? "impossible";
}

/** Returns the message of an error, or any other thrown value as a string. */
export function readMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the message of an error; for a refusal of a server its reason first, as the address is known. */
export function explainRefusal(thrown: unknown): string {
  const [, status, reason] = /^\S+ answered with (\d{3}): (.+)$/s.exec(readMessage(thrown)) ?? [];
  return status === undefined || reason === undefined ? readMessage(thrown) : `${reason} (HTTP ${status})`;
}
