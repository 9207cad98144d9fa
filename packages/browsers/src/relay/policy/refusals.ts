import { type CommandError, refusal } from "../../devtools/message.ts";
import { isKnownCommand } from "./known-commands.ts";
import { pageDomains } from "./page-domains.ts";

/** Reasons why commands with a prefix are refused, and what to do instead. The first match counts. */
const reasons: readonly (readonly [begin: string, why: string])[] = [
  [
    "Extensions.",
    "extensions are shared by all sessions of this browser. Tools that need one (Stagehand 4 and later) need a browser of their own",
  ],
  ["Tracing.", "it covers the whole browser. Send Tracing.start and Tracing.end on the session of a page"],
  ["SystemInfo.", "it exposes the machine and the other sessions of this browser"],
  ["Memory.", "it covers all sessions of this browser. Use Performance.getMetrics for one page"],
  ["Browser.crash", "it would end all sessions that share this browser. End this session with Browser.close"],
  ["Page.crash", "it would end the session. Page.close closes the page"],
  ["Browser.getHistogram", "it exposes the other sessions of this browser"],
  ["Page.startScreenRecording", "it writes on the machine. Every session is recorded: read its replay"],
  ["Page.stopScreenRecording", "it writes on the machine. Every session is recorded: read its replay"],
  ["DOM.getFileInfo", "it exposes paths of the machine of the browser. Read the name in the page: file.name"],
  ["IO.", "it needs an object of a page. Send it on the session of that page"],
  ["Target.setRemoteLocations", "it affects other sessions"],
  ["Target.exposeDevToolsProtocol", "it would give pages control over the whole browser, which other sessions share"],
];

const defaultReason = "it affects more than a session";

const pageAdvice = "commands for a page are sent on the session of that page, which Target.attachToTarget returns";

/** Returns the CDP error for a command that is always refused; for one that Chromium does not have, the error of Chromium. */
export function refusedCommand(method: string): CommandError {
  const name = method.slice(0, 100);
  const [begin = "", why = defaultReason] = reasons.find(([prefix]) => method.startsWith(prefix)) ?? [];
  const domain = method.slice(0, method.indexOf("."));
  const isOfPages = pageDomains.has(domain);
  if (isKnownCommand(method) || (begin !== "" && isOfPages)) return refusal(`${name} is not available: ${why}.`);
  return { code: -32_601, message: isOfPages ? `'${name}' wasn't found: ${pageAdvice}` : `'${name}' wasn't found` };
}
