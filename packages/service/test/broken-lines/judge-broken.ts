/** Runs the suite against a service with a broken line, in a process of its own: `node judge-broken.ts '{"line": …, "only": […]}'`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { breakLine } from "./break-line.ts";
import type { BrokenLine } from "./broken-line.ts";

/** What is to be judged. */
export interface Order {
  /** The broken line; without one the service is whole. */
  readonly line?: BrokenLine;
  /** What is checked. Default: everything. */
  readonly only?: readonly string[];
}

/** What came of it. */
export interface Verdict {
  /** Exit code of the suite. */
  readonly exitCode: number;
  /** Whether the file with the broken line was loaded. */
  readonly wasLoaded: boolean;
  /** What is wrong: which check found it, which requirement it names, in words. */
  readonly findings: readonly { readonly check: string; readonly requirement: string; readonly what: string }[];
  /** Checks that could not be judged, and why. */
  readonly troubles: readonly string[];
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test
const { line, only } = JSON.parse(process.argv[2] ?? "{}") as Order;
const wasLoaded = line === undefined ? (): boolean => false : breakLine(line);
const [{ liveTarget, runConformance }, { startTestService }, { startSite }] = await Promise.all([
  import("@cloud-browser/conformance"),
  import("../running-service.ts"),
  import("../site.ts"),
]);

const data = await mkdtemp(join(tmpdir(), "cloud-browser-broken-"));
const { service, open, end } = await startTestService({ data });
const site = await startSite({ "/": "<title>Ferries</title><h1>Harbour ferries</h1>" });
const { session_id: sessionId } = await open();
const needsEnded = only === undefined || only.some((pattern) => pattern.startsWith("replay"));
const ended = needsEnded ? await open() : undefined;
if (ended) await end(ended.session_id);
const target = liveTarget({
  baseUrl: service.url,
  apiKey: service.apiKey,
  sessionId,
  ...(ended === undefined ? {} : { endedSessionId: ended.session_id }),
  openSession: async (url) => (await open({ url })).session_id,
  endSession: async (id) => void (await end(id)),
  query: `Open ${site.url}/`,
});
const { exitCode, checks } = await runConformance(target, {
  profile: "full",
  ...(only === undefined ? {} : { only }),
  limits: { timeoutMs: 30_000, streamTimeoutMs: 30_000, idleTimeoutMs: 10_000, closeGraceMs: 2_000 },
  patience: { recordingReady: 20_000 },
});
const verdict: Verdict = {
  exitCode,
  wasLoaded: wasLoaded(),
  findings: checks.flatMap(({ id, findings, level }) =>
    level === "stated"
      ? findings.map(({ requirement, where, expected, received }) => ({
          check: id,
          requirement,
          what: `${where}: expected ${expected}, received ${received}`,
        }))
      : [],
  ),
  troubles: checks.filter(({ status }) => status === "error").map(({ id, reason }) => `${id}: ${reason}`),
};
process.stdout.write(JSON.stringify(verdict));
await service.close();
await rm(data, { recursive: true });
// What a broken line keeps open does not keep this process.
process.exit(0);
