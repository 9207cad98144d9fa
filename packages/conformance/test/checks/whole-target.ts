/** A target that has everything: pages in real sessions, recordings, and automation runs. */
import { liveTarget } from "../../src/run/live-target.ts";
import type { Target } from "../../src/target/target.ts";
import { apiKey as pagesKey, SiteServer } from "../pages/site-server.ts";
import { apiKey, endedSessionId, makeAnswers, sessionId } from "../server.ts";
import { serveAnswers } from "../targets/serve.ts";

export interface WholeTarget extends AsyncDisposable {
  readonly target: Target;
}

export async function startWholeTarget(): Promise<WholeTarget> {
  const pages = await SiteServer.start();
  const answer = makeAnswers();
  const served = await serveAnswers((request) => {
    const [, , id = ""] = request.path.split("/");
    if (!pages.sessions.has(id)) return answer(request);
    const authorization = request.headers.authorization?.replace(apiKey, pagesKey);
    return pages.answer({ ...request, headers: { ...request.headers, authorization } });
  });
  return {
    target: liveTarget({
      baseUrl: served.url,
      apiKey,
      sessionId,
      endedSessionId,
      openSession: (address) => pages.open(address),
      endSession: (id) => pages.end(id),
    }),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await pages[Symbol.asyncDispose]();
    },
  };
}

/** Options of judging such a target: everything, and without long waiting. */
export const wholeRun = {
  profile: "full",
  maxRuns: 2,
  // A busy machine must not look like a target that does not answer: all but the grace and the last three are limits for what hangs.
  limits: { timeoutMs: 60_000, closeGraceMs: 400 },
  ffmpeg: false,
  pageTimeouts: { request: 60_000, recordingReady: 60_000, load: 10_000, change: 50, recording: 10 },
} as const;
