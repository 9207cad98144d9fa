/**
 * Runs the suite against services with a broken line each, one after the other: reads orders as JSON from standard input, writes
 * a verdict for each as a line of JSON.
 */
import { text } from "node:stream/consumers";
import { liveTarget, runConformance } from "@cloud-browser/conformance";
import { startSite } from "@cloud-browser/testing/site.ts";
import { loadBroken } from "./break-line.ts";
import type { BrokenLine } from "./broken-line.ts";

/** What is to be judged. */
export interface Order {
  /** The line that is broken; without one the service is whole. */
  readonly line?: BrokenLine | undefined;
  /** The requirements that are judged. */
  readonly only: readonly string[];
}

/** What came of it. */
export interface Verdict {
  /** Exit code of the suite. */
  readonly exitCode: number;
  /** Whether the file with the broken line was loaded. */
  readonly wasLoaded: boolean;
  /** What is wrong: which check found it, which requirement it names, in words. */
  readonly findings: readonly { readonly check: string; readonly requirement: string; readonly what: string }[];
}

const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>`;
const page = `<!doctype html><title>Ferries</title><h1>Harbour ferries</h1><img src="/ferry.png" alt="A ferry" width="400" height="300">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Ferry"}</script>`;
const cookies = [
  "lasting=a; Max-Age=3600; SameSite=Lax; HttpOnly",
  "passing=b",
  "__Host-parted=c; Secure; Path=/; SameSite=None; Partitioned",
];
await using site = await startSite({
  "/": (_, response) => response.writeHead(200, { "content-type": "text/html", "set-cookie": cookies }).end(page),
  "/ferry.png": (_, response) => response.writeHead(200, { "content-type": "image/svg+xml" }).end(picture),
});
const start = site.url.replace("127.0.0.1", "localhost");

async function judged({ line, only }: Order): Promise<Verdict> {
  const { service, wasLoaded } = await loadBroken(line);
  const running = await service.startService({ allow: ["127.0.0.1", "localhost"] });
  try {
    const open = async (url: string): Promise<string> => (await running.open({ url })).session_id;
    const ended = only.some((requirement) => requirement.startsWith("replay.")) ? await open(start) : undefined;
    if (ended !== undefined) await running.end(ended);
    const target = liveTarget({
      baseUrl: running.url,
      apiKey: running.apiKey,
      sessionId: await open(start),
      ...(ended === undefined ? {} : { endedSessionId: ended }),
      openSession: open,
      endSession: (id) => running.end(id),
      query: `Open ${start}/`,
    });
    const { exitCode, checks } = await runConformance(target, {
      profile: "full",
      only,
      limits: { timeoutMs: 60_000, streamTimeoutMs: 60_000, idleTimeoutMs: 20_000, closeGraceMs: 1_000 },
      pageTimeouts: { recordingReady: 30_000 },
    });
    const findings = checks.flatMap(({ id, findings: found }) =>
      found.map(({ requirement, where, expected, received }) => ({
        check: id,
        requirement,
        what: `${where}: expected ${expected}, received ${received}`,
      })),
    );
    return { exitCode, wasLoaded: wasLoaded(), findings };
  } finally {
    await running.close();
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test
for (const order of JSON.parse(await text(process.stdin)) as Order[]) {
  const verdict = await judged(order);
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(verdict)}\n`, resolve));
}
// What a broken line keeps open does not keep this process.
process.exit(0);
