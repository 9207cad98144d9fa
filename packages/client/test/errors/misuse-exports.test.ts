import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as control from "../../src/control.ts";
import * as cookies from "../../src/cookies.ts";
import * as main from "../../src/index.ts";
import * as replays from "../../src/replay.ts";
import * as runs from "../../src/runs.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { oddValues, optionsThatThrow } from "../../../stream/test/errors/odd-values.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttps://files.example/a.ts\n";
const replay = { mp4_url: "https://files.example/v", playlist_content: playlist, expires_at: "", video_start_ms: 0, video_duration_ms: 1 }; // prettier-ignore
const fetch = async ({ url }: Request): Promise<Response> =>
  url.includes("automation")
    ? new Response('data: {"type":"done"}\n\n', { headers: { "content-type": "text/event-stream" } })
    : Response.json({ markdown: "", cookies: [], structured: { data: {} }, ...replay });
const good = { apiKey: "key", baseUrl: "https://service.example", retries: 0, fetch };
const client = main.createCloudBrowser(good);
/** Has no files: nothing is asked of their host unless the options have a replay. */
const empty = { replay: async () => ({ ...replay, mp4_url: "", playlist_content: "" }) };
const download = { replay, fetch: async () => new Response("x"), maxAttempts: 1, retryDelayMs: 0 };
const url = "https://a.example/";
const options = ["apiKey", "baseUrl", "automationUrl", "fetch", "headers", "requestOrigin", "timeouts", "retries", "maxBodyBytes", "logger", "logLevel", "validate", "hooks", "signal"]; // prettier-ignore
const reading = [...options, "ledger", "onOutcome", "onReport", "maxEventBytes", "oversize", "damage"];
const transfers = ["signal", "replay", "fetch", "maxAttempts", "stallMs", "refreshStatuses", "onProgress", "concurrency"]; // prettier-ignore

/** Every public function: arguments that are fine, and the names of fields of the last one. */
const functions: Record<string, { makeArgs: (path: string) => unknown[]; options?: readonly string[] }> = {
  attachRun: { makeArgs: () => [client, "r1", {}], options: [...reading, "after"] },
  automate: { makeArgs: () => [{ query: "q" }, {}], options: reading },
  cookies: { makeArgs: () => ["s1", {}], options },
  createCloudBrowser: { makeArgs: () => [good], options },
  createControl: { makeArgs: () => [good], options },
  createSpendLedger: { makeArgs: () => [{}], options: ["budgetUsd", "reserveUsd"] },
  downloadHls: { makeArgs: (path) => [empty, "s1", path, download], options: transfers },
  downloadReplay: { makeArgs: (path) => [empty, "s1", path, download], options: transfers },
  extract: { makeArgs: () => ["s1", { response_format: {} }, {}], options },
  fromCookieHeader: { makeArgs: () => ["a=b", url] },
  fromCookiesTxt: { makeArgs: () => [""] },
  fromPlaywrightCookies: { makeArgs: () => [[]], options: ["cookies"] },
  fromPuppeteerCookies: { makeArgs: () => [[]], options: ["cookies"] },
  fromToughCookies: { makeArgs: () => [[]], options: ["cookies"] },
  parsePlaylist: { makeArgs: () => [playlist, {}], options: ["baseUrl"] },
  replay: { makeArgs: () => ["s1", {}], options },
  scrape: { makeArgs: () => ["s1", {}, {}], options: [...options, "update_metadata"] },
  segmentsBetween: { makeArgs: () => [replays.parsePlaylist(playlist), 0, 1] },
  startRun: { makeArgs: () => [client, { query: "q" }, {}], options: reading },
  toCookieHeader: { makeArgs: () => [[], url, {}], options: ["now", "topLevelSite"] },
  toCookiesTxt: { makeArgs: () => [[]], options: ["cookies"] },
  toPlaywrightCookies: { makeArgs: () => [[]], options: ["cookies"] },
  toPuppeteerCookies: { makeArgs: () => [[]], options: ["cookies"] },
  toToughCookies: { makeArgs: () => [[]], options: ["cookies"] },
  waitForReplay: { makeArgs: () => [client, "s1", {}], options: ["until", "pendingStatuses", "intervalMs", "deadlineMs", "signal", "onWait"] },
}; // prettier-ignore
const all = new Map([main, control, cookies, replays, runs, client].flatMap((each) => Object.entries(each)));

// But for the errors, which callers do not create; `raw` is a client of another package.
test("no public function is missing above", () => {
  all.delete("raw");
  const names = [...all.keys()].filter((name) => !name.endsWith("Error"));
  expect(Object.keys(functions)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
});

/** Requests whose fields throw. */
const requests = ["query", "ignored_tags", "response_format", "instructions", "selector"];
const rows = Object.entries(functions).flatMap(([name, { makeArgs, options: names = [] }]) =>
  makeArgs("x").flatMap((_, at) =>
    // A string is a path.
    [
      ...oddValues.filter(({ kind }) => !(kind === "a string" && at === 2)),
      ...optionsThatThrow(at === makeArgs("x").length - 1 ? names : requests),
    ].map(({ kind, value }) => ({
      what: `${kind} as argument ${at + 1} of ${name}`,
      call(path: string): unknown {
        const act: unknown = all.get(name);
        if (typeof act !== "function") throw new Error(`${name} is no function`);
        return Reflect.apply(act, undefined, makeArgs(path).with(at, value));
      },
    })),
  ),
);
test.for(rows)("it works or is a ClientError: $what", async (row) => {
  const path = join(await makeOwnFolder(), "replay");
  const names: unknown[] = [];
  try {
    await row.call(path);
  } catch (thrown) {
    names.push(Object(thrown).name);
  }
  expect(["", "ClientError", "StreamError"]).toContain(names.join());
  expect(unhandled).toEqual([]);
});
