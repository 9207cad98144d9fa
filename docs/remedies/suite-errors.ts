import type { SuiteErrorCode } from "../../packages/conformance/src/http/suite-error.ts";
import type { ContractErrorCode } from "../../packages/contract-diff/src/contract-error.ts";

/** What to do about each failure of the suite itself, in Markdown. None is a verdict on the target. */
export const suiteRemedies: Readonly<Record<SuiteErrorCode, string>> = {
  usage:
    "The message names the flag or the setting and what it has to be; `conformance run --help` lists them. Exit code 2.",
  unreachable:
    "Open the address with `curl` from the same machine: name, port, certificate, proxy. The target was not judged. Exit code 3.",
  "mock-failed":
    "Look whether Prism is installed (`npm install @stoplight/prism-cli`), and whether a port is free on loopback.",
  "service-failed":
    "Look whether `@cloud-browser/service` is installed and Chromium starts: `npx @cloud-browser/service serve --check`. To judge the mock alone: `--target prism`.",
  "session-failed":
    "Run the command of `--session-command` by hand with an address of yours: it must print the id of the session, and nothing else. Look whether the target's browser reaches `--site-host`.",
};

/** What to do about a contract that can't be compared, in Markdown. */
export const contractRemedies: Readonly<Record<ContractErrorCode, string>> = {
  unreadable:
    "Look at the path, and whether the file is YAML or JSON; the message names the line where reading stopped.",
  "not-openapi": "Give a document whose field `openapi` is 3.1 or 3.2; convert an older one first.",
  "bad-reference": "Bundle the document into one file, and correct the reference that the message names.",
};
