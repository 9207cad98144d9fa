import type { AutomationErrorCode } from "../../packages/automation/src/automation-error.ts";
import type { ServiceErrorCode } from "../../packages/service/src/service-error.ts";

/** What to do about each error of the service, in Markdown. Those of the packages that it is made of are among them. */
export const serviceRemedies: Readonly<Record<ServiceErrorCode, string>> = {
  usage:
    "The message names the flag, the setting or the field, its value, and what it has to be. `cloud-browser <command> --help` lists them all.",
  "browser-missing":
    "Install the packages that Chromium needs on this system, or name one of yours with `--chromium`. `serve --check` says what is missing without starting anything.",
  "encoder-missing":
    "Install ffmpeg, or name one with `--ffmpeg`; on Linux x64 `@cloud-browser/ffmpeg-linux-x64` brings one.",
  busy: "Wait for the time in `Retry-After`, or let the service hold the request (`wait_s`, `--max-waiting`). If it goes on, end sessions that nobody needs, raise `--max-sessions`, or add a node.",
  stopping:
    "Wait for the time in `Retry-After` and try again: another node, or the service after its restart, answers.",
  "unknown-session":
    "Look at the id with `cloud-browser ls`: records of ended sessions are deleted after their retention time, and a key sees only its own sessions.",
  "session-ended": "Open a new session. Only the recording of an ended one can still be read.",
  "session-unreachable":
    "Wait for the time in `Retry-After`: the node that has the session is restarting or cut off. Look at `/health` of the nodes if it goes on.",
  "page-failed":
    "Try again, or open the page in a new session. If it happens always, the page needs more time or memory than it is given (`--memory-limit`).",
  "address-refused":
    "Pages may load public addresses only. Where you trust the network, allow the address with `--allow`; take it from `--deny` if it stands there.",
  "bad-selector": "Correct the selector: CSS, or one of the forms that the scrape describes.",
  "recording-not-ready": "End the session, then ask again after the time in `Retry-After`.",
  "recording-delayed":
    "It is tried again by itself. Look at the log for the reason: mostly the disk is full, or ffmpeg is missing.",
  "recording-empty":
    "The session showed no page, so there is nothing to see. Open it on a page, or load one before it ends.",
  "recording-deleted":
    "It can't be had back. Download recordings before the retention time is over, or raise it with `--keep-recordings`.",
  "recording-failed":
    "The files are damaged. Look at the log for the file, and at the disk; a copy from a backup of the data folder can be put in its place.",
  "unknown-handover":
    "Look at the list of requests: `cloud-browser handover`. One that was answered or given up is gone.",
  "handover-open": "Answer or give up the request that is open before you make another one.",
  "handover-answered": "Somebody was faster. Read the request again to see their answer.",
  "profiles-disabled":
    "Give the service a key to encrypt profiles with, in `CLOUD_BROWSER_PROFILE_KEY`, and start it again.",
  "unknown-profile": "Look at the names with `cloud-browser profiles`. A key sees its own profiles only.",
  "profile-in-use": "Wait until the other session has ended, or open this one without writing back.",
  "profile-unreadable":
    "Give the service the key that the profile was encrypted with as well, then encrypt anew with the present one. A damaged profile has to be uploaded again.",
  "backup-failed":
    "Read the message: it names the file that is missing or was altered, or what the system refused. An altered backup can't be restored: take another one.",
  "storage-failed":
    "Make room on the disk, or make the data folder writable. The service goes on by itself as soon as it can write.",
};

/** What to do about each error with which a run of this repository's service ends, in Markdown. */
export const automationRemedies: Readonly<Record<AutomationErrorCode, string>> = {
  model_needed:
    "Say the task in the words that the planner knows (open, fill, press, extract), or configure a model: `--model-url`, `--model`, `--model-prices`.",
  model_failed:
    "Look at the log for the answer of the provider: its key, its quota, its address. Then run the task again.",
  step_failed:
    "Read the detail: it says what the page showed in place of what the step needs. Change the task, or the page that it begins on.",
  address_refused:
    "The page is on an address that this service may not load: see [address-refused](/errors/service/#address-refused).",
  budget_spent: "Raise `--run-budget`, or give a smaller task. What was used is billed.",
  too_many_steps: "Raise `--run-steps`, or divide the task.",
  unknown_variable: "Give the function exactly the variables that it lists: `cloud-browser functions`.",
  session_lost:
    "Run the task again in a new session. If it happens always, look at the memory of pages and of the machine.",
  usage: "The message names the limit or the setting, and what it has to be.",
  internal: "Report it with the events of the run: it is a fault of the service, not of your task.",
};
