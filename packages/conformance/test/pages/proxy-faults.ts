/** Faults of pages and recordings that a proxy can make before any service that conforms. */
import type { PageFault } from "./faulty-servers/faulty-server.ts";
import { pageFaults } from "./faulty-servers/faulty-servers.ts";
import { isForProxy } from "./twist-proxy.ts";

/** Faults whose twist reads the document or the sessions of the simulated browser, which a proxy does not see. */
const onSimulatedBrowser = [
  "answers with the HTML document",
  "has the comments of the page",
  "has the scripts of the page",
  "has the style sheets of the page",
  "lists images by the address of the page",
  "reads the cookies of another session",
];

/** Faults whose twist is written for the bytes or the number of the simulated recording's files. */
const onSimulatedRecording = [
  "records sound",
  "moves the frames of the MP4 without telling its header",
  "has frames that last ten times as long as the recording",
  "lets an address of the MP4 be used once",
  "adds up segments to another length",
  "has segments that together last more than a second longer",
  "has an MP4 that lasts more than a second longer",
  "asks for credentials when the second segment is downloaded",
  "answers a segment with an error page and 200",
  "gives the same file for both segments",
  "lists a segment that anyone can download among signed ones",
  "has a track of silence",
  "lists a segment by an address that holds its bytes",
];

/** Faults that are tried on the simulated server alone, by name. */
export const simulatedOnly: ReadonlySet<string> = new Set([...onSimulatedBrowser, ...onSimulatedRecording]);

/** Faults that only a recording of more than one segment shows, by name. */
export const ofSegments: ReadonlySet<string> = new Set(["lists the segments from the last to the first"]);

/** Each breaks one sentence, and nothing else. */
export const proxyFaults: readonly PageFault[] = pageFaults.filter(
  ({ name, twist }) => isForProxy(twist) && !simulatedOnly.has(name),
);
