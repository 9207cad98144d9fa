/** Why commands of a domain, or with a name that begins like that, are refused, and what to do instead. The first that fits counts. */
const reasons: readonly (readonly [begin: string, why: string])[] = [
  [
    "Extensions.",
    "an extension would be in all sessions that share this browser. None can be loaded; tools that work by one (Stagehand from version 4 on) need a browser of their own",
  ],
  ["Tracing.", "it tells of the whole browser. Send Tracing.start and Tracing.end on the session of a page"],
  ["SystemInfo.", "it tells of the machine and of all sessions that share this browser"],
  ["Memory.", "it is for all sessions that share this browser. Performance.getMetrics tells of one page"],
  ["Browser.crash", "it would end all sessions that share this browser. End this session with Browser.close"],
  ["Page.crash", "it would end the session. Page.close closes the page"],
  ["Browser.getHistogram", "it tells of all sessions that share this browser"],
  ["Page.startScreenRecording", "it writes on the machine. Every session is recorded: read its replay"],
  ["Page.stopScreenRecording", "it writes on the machine. Every session is recorded: read its replay"],
  ["IO.", "it is for what a page gave. Send it on the session of that page"],
  ["Target.setRemoteLocations", "it reaches what other sessions have"],
  ["Target.exposeDevToolsProtocol", "it would give pages the whole browser, which other sessions share"],
];

const usual =
  "it reaches beyond a session, or is not known here. Commands for a page are sent on the session of that page, which Target.attachToTarget gives";

/** What a client reads when a command is refused as such, whatever its parameters. */
export function refusedCommand(method: string): string {
  const [, why = usual] = reasons.find(([begin]) => method.startsWith(begin)) ?? [];
  return `${method.slice(0, 100)} is not available: ${why}.`;
}
