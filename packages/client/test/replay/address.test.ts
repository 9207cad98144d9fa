import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { downloadReplay, type ReplayClient } from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { getBytes, readOutcome, startReplayHost } from "./replay-host.ts";
import { contents, quick, video } from "./replay-video.ts";

let path: string;
beforeEach(async () => {
  path = join(await makeOwnFolder(), "replay.mp4");
});

test("follows redirects without asking the service, and asks the first address again", async () => {
  await using host = await startReplayHost({ contents });
  const { mp4_url } = await host.client.replay("s1");
  await using mirror = await startReplayHost({ contents });
  host.faults.push({ location: `${mirror.url}/files/hop` }, { location: mp4_url });
  mirror.faults.push({ location: (await mirror.client.replay("s1")).mp4_url }, { cutAfter: 1000 });
  await downloadReplay(host.client, "s1", path, quick);
  expect((await readFile(path)).equals(getBytes(video))).toBe(true);
  expect(host.files.map(({ status }) => status)).toEqual([302, 302, 206]);
  expect([...mirror.files, ...host.files].some(({ headers }) => headers.authorization ?? headers.cookie)).toBe(false);
});

/** Answers as a host with `https:` would. */
function createSecureHost(location: string) {
  const requests: string[] = [];
  const inits: RequestInit[] = [];
  const fetch = async (target: string, init: RequestInit): Promise<Response> => {
    requests.push(target);
    inits.push(init);
    if (requests.length === 1) return new Response(null, { status: 302, headers: { location } });
    return new Response("video");
  };
  return { requests, inits, fetch };
}
const hops = [
  { location: "https://other.example/x", fine: true },
  { location: "/x", fine: true },
  { location: "http://other.example/x", fine: false },
  { location: "http://127.0.0.1/x", fine: false },
];
test.for(hops)("follows no redirect from https: to http:, even if that is allowed: $location", async (hop) => {
  const { requests, inits, fetch } = createSecureHost(hop.location);
  const replay = { mp4_url: "https://files.example/v", playlist_content: "", expires_at: "", video_start_ms: 0 };
  const client: ReplayClient = { replay: async () => ({ ...replay, video_duration_ms: 0 }) };
  const downloading = downloadReplay(client, "s1", path, { ...quick, fetch, allowInsecureHttp: true });
  expect(await readOutcome(downloading)).toMatchObject(
    hop.fine ? { bytes: 5 } : { code: "download", retryable: false },
  );
  expect(requests.length).toBe(hop.fine ? 2 : 1);
  expect(inits[0]).toMatchObject({ credentials: "omit", referrerPolicy: "no-referrer", redirect: "manual" });
});

test.for([
  { name: "ends at an address that may be used", end: "https://other.example/x", fine: true },
  { name: "ends in the clear", end: "http://other.example/x", fine: false },
])("lets a browser follow a redirect, and checks where it ends: $name", async ({ end, fine }) => {
  const modes: unknown[] = [];
  const fetch = async (_: string, { redirect }: RequestInit): Promise<Response> => {
    modes.push(redirect);
    const response = new Response("video");
    const facts = redirect === "manual" ? { type: { value: "opaqueredirect" } } : { url: { value: end } };
    return Object.defineProperties(response, facts);
  };
  const replay = { mp4_url: "https://files.example/v", playlist_content: "", expires_at: "", video_start_ms: 0 };
  const client: ReplayClient = { replay: async () => ({ ...replay, video_duration_ms: 0 }) };
  const downloading = downloadReplay(client, "s1", path, { ...quick, fetch });
  expect(await readOutcome(downloading)).toMatchObject(fine ? { bytes: 5 } : { code: "download" });
  expect(modes).toEqual(["manual", "follow"]);
});

test("allows http: to another machine with allowInsecureHttp", async () => {
  const requests: string[] = [];
  const fetch = async (target: string): Promise<Response> => (requests.push(target), new Response("video"));
  const replay = { mp4_url: "http://files.example/v", playlist_content: "", expires_at: "", video_start_ms: 0 };
  const client: ReplayClient = { replay: async () => ({ ...replay, video_duration_ms: 0 }) };
  const result = await downloadReplay(client, "s1", path, { fetch, allowInsecureHttp: true });
  expect([requests, result.bytes]).toEqual([["http://files.example/v"], 5]);
});

test("calls fetch as a function, as browsers want it", async () => {
  const callers: unknown[] = [];
  async function fetch(this: unknown): Promise<Response> {
    callers.push(this);
    return new Response("video");
  }
  const replay = { mp4_url: "https://files.example/v", playlist_content: "", expires_at: "", video_start_ms: 0 };
  const client: ReplayClient = { replay: async () => ({ ...replay, video_duration_ms: 0 }) };
  await downloadReplay(client, "s1", path, { fetch });
  expect(callers).toEqual([undefined]);
});
