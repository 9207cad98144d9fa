import type { ClientErrorCode } from "../../packages/client/src/errors/client-error.ts";

/** What to do about each error of the client, in Markdown. */
export const clientRemedies: Readonly<Record<ClientErrorCode, string>> = {
  validation:
    "Read `error.problems`: each names a `path` of the request and what is wrong there. Correct the arguments; repeating the same call fails in the same way.",
  "bad-request":
    "Send a non-empty task (`query`). If it was there, look whether a proxy between you and the service changes bodies.",
  authentication:
    "Set `CLOUD_BROWSER_API_KEY`, or the option `apiKey`, to a key of this service. If the key is right, look whether it may call this operation, and whether the address is that of the service the key is for.",
  "not-found":
    "Look at the id of the session, and whether the key belongs to its owner. For an automation, set `automationWord` to the word that the service has in `/api/<word>/start`.",
  "rate-limited":
    "Wait for `retryAfterMs` before the next call. Where it happens often, send fewer calls at a time, or ask the operator of the service for a larger quota.",
  upstream:
    "Wait, then look whether the run was started: with `runs` where the service has `/control`, otherwise in its billing. Only then start it again.",
  server:
    "Try again later when `retryable` is true; report `requestId` to the operator of the service when it goes on.",
  redirect:
    "Set `baseUrl` or `automationUrl` to the address that the service really has, with `https:`; the client follows no redirect, since that could give the key to another host.",
  "unexpected-status":
    "Look at `status` and `url`: often the address is that of another server, or of a proxy that answers by itself.",
  "unexpected-content":
    "Look at `error.body` yourself, and don't log it: it is not what the interface describes. Often the address is that of a web page; otherwise judge the service with `npx @cloud-browser/conformance run`.",
  "too-large": "Ask for less (`selector`, `only_main_content`, `ignored_tags`), or raise `maxBodyBytes`.",
  network:
    "Look at `cause` for what failed: name, connection, certificate. The work may have been done; a read may be repeated, a billed run only after you looked whether it was started.",
  timeout:
    "`phase` says which limit expired. Raise that limit of `timeouts` if the work takes so long, and look whether it was done before you repeat what is billed.",
  aborted: "Your own signal aborted the call; `cause` is its reason. The work may have been done all the same.",
  misuse:
    "The program is wrong, and the message says where. Change the argument; where `fetch` or a middleware of yours threw, look there.",
  extraction:
    "Read `error.extraction`: it says whether the service found no data, or data that your schema refuses. Loosen the schema, or say in `instructions` what you mean.",
  budget:
    "Nothing was sent, and nothing is billed. Raise the limits of the ledger, or wait until the runs that are on have told their cost.",
  "replay-unavailable":
    "Only an ended session has a replay, and only for as long as the service keeps it. Wait longer with `waitForReplay`, or look whether the page showed anything.",
  download:
    "Read `message`: it names what failed. Make room where the disk is full, allow the file host where it is refused; then call the download again, which reads the replay anew.",
  "no-control":
    "Only `@cloud-browser/service` has `/control`: look whether `baseUrl` is that of such a service. Against any other server use the operations of the interface alone.",
};
