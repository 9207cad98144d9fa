import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createCloudBrowser } from "../../src/index.ts";
import { downloadReplay } from "../../src/replay.ts";

// Jest runs tests in a realm of their own, and `fetch` is of another one: what it throws is no instance of their classes.
const refusal: Error = runInNewContext(`new TypeError("fetch failed with k3y", {
  cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
})`);
const fetch = (): Promise<Response> => Promise.reject(refusal);

test("an error of another realm is understood", async () => {
  expect(refusal instanceof Error).toBe(false);
  const retries = { max: 1, baseMs: 1, unsentAutomations: true };
  const client = createCloudBrowser({ apiKey: "k3y", baseUrl: "https://service.example", fetch, retries });
  await expect(client.automate({ query: "a ferry" })).rejects.toMatchObject({
    attempts: 2,
    cause: {
      name: "TypeError",
      message: "fetch failed with [redacted]",
      cause: { name: "Error", code: "ECONNREFUSED" },
    },
  });
});

test("so is one of a file host", async () => {
  const client = { replay: () => Promise.reject(refusal) };
  const replay = {
    mp4_url: "https://files.example/v",
    playlist_content: "",
    expires_at: "",
    video_start_ms: 0,
    video_duration_ms: 0,
  };
  const options = { fetch, replay, maxAttempts: 1 };
  await expect(downloadReplay(client, "s1", new WritableStream(), options)).rejects.toMatchObject({
    code: "download",
    cause: { name: "TypeError", code: "ECONNREFUSED" },
  });
});

const fail = (): Promise<Response> => Promise.reject(new Error("gone"));

test("an error that has no cause says none", async () => {
  const client = createCloudBrowser({ apiKey: "k3y", baseUrl: "https://service.example", fetch: fail, retries: 0 });
  const error: unknown = await client.cookies("s1").catch((thrown: unknown) => thrown);
  const cause = error instanceof Error ? error.cause : undefined;
  expect(cause).toMatchObject({ message: "gone" });
  expect(cause).not.toHaveProperty("cause");
});
