import { RecorderError } from "@cloud-browser/recorder";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { addInterfaceRoutes, type InterfaceParts } from "../../src/http/interface-routes.ts";
import { answerError } from "../../src/http/problems.ts";
import { ServiceError } from "../../src/service-error.ts";

/** The answer for the replay of a session that the records have or not, and whose recording can't be had for a reason. */
async function answerFor(
  record: { readonly ended_ms: number | null; readonly recorded?: false } | undefined,
  error: Error,
): Promise<Response> {
  const parts = {
    sessions: {
      getRecord: async (session_id: string) => {
        if (record) return { session_id, recorded: true, ...record };
        throw new ServiceError("unknown-session", "there is no such session");
      },
    },
    recordings: { getReplay: () => Promise.reject(error) },
  };
  const app = new Hono<{ Variables: { holder: { name: null } } }>();
  app.use(async (c, next) => {
    c.set("holder", { name: null });
    await next();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the parts as a replay needs
  addInterfaceRoutes(app as unknown as Hono, parts as unknown as InterfaceParts);
  app.onError((thrown) => answerError(thrown) ?? new Response("internal error", { status: 500 }));
  return app.request("/sessions/5e55104e-0000-4000-8000-000000000000/replay");
}

const notHere = new RecorderError("unknown-session", "no session with this id was recorded");

test.each([
  ["that nobody knows", undefined, notHere, 404, null],
  ["that is open, and not recorded yet", { ended_ms: null }, notHere, 409, "2"],
  ["that has ended, and whose maker is down", { ended_ms: 1 }, notHere, 503, "5"],
  ["that asked not to be recorded", { ended_ms: 1, recorded: false }, notHere, 404, null],
  ["whose file can't be read", { ended_ms: 1 }, new RecorderError("storage-failed", "EIO"), 503, "5"],
  ["whose encoder can't be started now", { ended_ms: 1 }, new RecorderError("encoder-missing", "no ffmpeg"), 503, "5"],
  ["of which nothing was recorded", { ended_ms: 1 }, new RecorderError("recording-empty", "nothing"), 404, null],
] as const)("the replay of a session %s", async (_, record, error, status, retryAfter) => {
  const answer = await answerFor(record, error);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([status, retryAfter]);
  expect(await answer.json()).toEqual({ detail: expect.stringMatching(/\S/u) });
});
