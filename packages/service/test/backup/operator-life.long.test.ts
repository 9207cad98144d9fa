/** The life of an installation, from the outside: what an operator does with the commands, and what can go wrong meanwhile. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { BackupReport } from "../../src/backup/make-backup.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import type { HealthReport } from "../../src/health/health.ts";
import { describeServiceError } from "../../src/service-error.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { ask, Place, startCommand, type Ended, type Served } from "../command-line.ts";
import { readAnswer } from "../running-service.ts";
import { setDiskFull } from "../recordings/full-disk.ts";
import { command, findNames, interrupt, patience, readAll, readReplay, recordSession, send } from "./operator.ts";

// Services, browsers and encoders are started again and again.
vi.setConfig({ testTimeout: 900_000 });

const run = promisify(execFile);
const makeKey = (): string => randomBytes(32).toString("base64");
const profileKey = makeKey();
const withProfiles = (...keys: readonly string[]): Record<string, string> => ({
  CLOUD_BROWSER_PROFILE_KEY: keys.join(","),
});

let site: Site;
let place: Place;
let service: Served;
/** A session that ended before the backup, one that was open, and keys: one good, one that was revoked before it, one after it. */
let recorded: string;
let open: string;
const keys: Record<string, string> = {};
let before: Awaited<ReturnType<typeof readAll>>;
let backedUp: Ended;

const at = (...names: readonly string[]): string => join(place.root, ...names);
const backup = (): string => at("backup");
const serve = (folder: string, env: Record<string, string> = withProfiles(profileKey)): Promise<Served> =>
  place.serving(["--data", folder], env);

/** Ends a service in order. */
async function stop({ process: child, ended }: Served): Promise<void> {
  child.kill("SIGTERM");
  await ended;
}

/** Puts a folder that is restored from the backup at a new path. */
async function restoreTo(name: string): Promise<string> {
  expect(await command("restore", backup(), "--data", at(name))).toMatchObject({ code: 0, stderr: "" });
  return at(name);
}

beforeAll(async () => {
  site = await startSite({ "/": "<title>Harbour</title><h1>Ferries</h1>" });
  place = new Place();
  service = await serve(place.data);
  for (const name of ["good", "revoked", "later"])
    keys[name] = (await ask<{ key: string }>(service, "POST", "/control/keys", { name })).key;
  await ask(service, "DELETE", "/control/keys/revoked");
  const cookies = [
    {
      name: "sid",
      value: "s3cr3t-of-shop",
      domain: "shop.example",
      path: "/",
      expires: -1,
      httpOnly: true,
      secure: true,
    },
  ];
  await ask(service, "POST", "/control/profiles", { name: "shop", storage_state: { cookies, origins: [] } });
  recorded = await recordSession(service, site.url);
  await send(
    service,
    "POST",
    "/api/automation/start",
    undefined,
    JSON.stringify({ query: `Open ${site.url}, extract the heading` }),
  ).then((answer) => answer.text());
  open = (await ask<SessionView>(service, "POST", "/control/sessions", { url: site.url })).session_id;
  before = await readAll(service, recorded);
  backedUp = await command("backup", backup(), "--data", place.data, "--json");
}, 480_000);
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
}, 120_000);

test("a backup is made while sessions go on; restored elsewhere, all of it is there", async () => {
  expect(backedUp).toMatchObject({ code: 0, stderr: "" });
  for (const secret of [profileKey, ...Object.values(keys), "s3cr3t-of-shop"])
    expect(backedUp.stdout).not.toContain(secret);
  const report: BackupReport = JSON.parse(backedUp.stdout);
  expect(report).toMatchObject({ running: true, recordings: 2, session_files: 1, unfinished_recordings: [open] });
  expect(report.not_held.join()).toMatch(
    /1 recording still being made.*CLOUD_BROWSER_PROFILE_KEY.*CLOUD_BROWSER_API_KEY/s,
  );
  expect(await ask(service, "POST", `/sessions/${open}/page/scrape`, {})).toMatchObject({
    markdown: expect.stringContaining("Ferries"),
  });
  expect(await readAll(service, recorded)).toEqual(before);
  await ask(service, "DELETE", "/control/keys/later");

  const restored = await serve(await restoreTo("elsewhere"));
  expect(await readAll(restored, recorded)).toMatchObject({
    ...before,
    profile: expect.stringContaining("s3cr3t-of-shop"),
  });
  expect((await readReplay(restored, recorded)).subarray(4, 8).toString()).toBe("ftyp");
  expect(await ask(restored, "GET", `/control/sessions/${open}`)).toMatchObject({
    state: "ended",
    end_reason: "service-died",
  });
  const statuses = Object.values(keys).map(
    async (each) => (await send(restored, "GET", "/control/sessions", each)).status,
  );
  // The one that was revoked after the backup is good again: the manual says so.
  expect(await Promise.all(statuses)).toEqual([200, 401, 200]);
  expect(await recordSession(restored, site.url)).toMatch(/^[\da-f-]{36}$/);
  await stop(restored);
});

test("keys are rotated after a restore: that of a client, and that of profiles", async () => {
  const folder = await restoreTo("rotated");
  const next = makeKey();
  const both = await serve(folder, withProfiles(next, profileKey));
  const { key: fresh } = await ask<{ key: string }>(both, "POST", "/control/keys/good/rotate", {});
  const judge = async (as = ""): Promise<number> => (await send(both, "GET", "/control/sessions", as)).status;
  expect([await judge(keys["good"]), await judge(fresh)]).toEqual([401, 200]);
  expect(await ask(both, "POST", "/control/profiles/reencrypt")).toEqual({ reencrypted: 1, unreadable: 0 });
  expect(await command("backup", at("rotated-backup"), "--data", folder)).toMatchObject({ code: 0 });
  await stop(both);

  await command("restore", at("rotated-backup"), "--data", at("rotated-restored"));
  for (const [secret, isKnown] of [
    [profileKey, false],
    [next, true],
  ] as const) {
    const one = await serve(at("rotated-restored"), withProfiles(secret));
    const health = await readAnswer<HealthReport>(await send(one, "GET", "/health"));
    expect(health.checks.profiles === null).toBe(isKnown);
    expect((await send(one, "GET", "/control/profiles/shop/storage-state")).ok).toBe(isKnown);
    expect((await send(one, "GET", "/control/sessions", fresh)).status).toBe(200);
    await stop(one);
  }
});

test("damaged records are refused at the start, are no backup, and are there again after a restore", async () => {
  const folder = await restoreTo("damaged");
  const records = join(folder, "records.sqlite");
  const bytes = readFileSync(records);
  writeFileSync(records, bytes.fill(0x5a, 4_096, bytes.length - 4_096));
  expect(await command("serve", "--port", "0", "--data", folder)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/it is damaged \(.+\); restore it from a backup/),
  });
  expect(await command("backup", at("of-damaged"), "--data", folder)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("they are damaged"),
  });
  expect(existsSync(at("of-damaged"))).toBe(false);
  rmSync(folder, { recursive: true });
  const again = await serve(await restoreTo("damaged"));
  expect(await readAll(again, recorded)).toMatchObject(before);
  await stop(again);
});

test("a plain copy of a folder that is in use opens, or is refused with what to do", async () => {
  const over = new AbortController();
  const load = writeUntil(over.signal);
  for (let index = 0; index < 20; index += 1) {
    const copy = at(`plain-${index}`);
    // What goes while it is copied, as probes of the disk do, is no fault of the copy.
    await run("cp", ["-a", place.data, copy]).catch(() => undefined);
    const outcome = openOrRefuse(join(copy, "records.sqlite"));
    expect(["opened", expect.stringMatching(/it is damaged \(.+\); restore it from a backup/)]).toContainEqual(outcome);
  }
  over.abort();
  await load;
});

/** Has records written all the time. */
async function writeUntil(over: AbortSignal): Promise<void> {
  for (let index = 0; !over.aborted; index += 1) await ask(service, "POST", "/control/keys", { name: `load-${index}` });
}

/** Opens records as a start does. Returns why they are refused. */
function openOrRefuse(file: string): string {
  try {
    openDatabase(file).close();
    return "opened";
  } catch (error) {
    return describeServiceError(error);
  }
}

test("a full disk of the service, or of the backup, leaves nothing, and the next one is made", async () => {
  await setDiskFull(service.process.pid ?? 0, true);
  const refused = await command("backup", at("full"), "--data", place.data);
  await setDiskFull(service.process.pid ?? 0, false);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/gives no copy of its records \(503\)/) });
  expect(findNames(place.data, /copy/)).toEqual([]);
  const full = { NODE_OPTIONS: `--import ${new URL("full-disk-of-this.ts", import.meta.url).href}` };
  for (const args of [
    ["backup", at("full"), "--data", place.data],
    ["restore", backup(), "--data", at("full")],
  ]) {
    const { code, stderr } = await startCommand(args, full).ended;
    expect([code, stderr]).toEqual([3, expect.stringMatching(/no backup was made|nothing was restored/)]);
    expect(findNames(place.root, /full/)).toEqual([]);
  }
  expect(await command("backup", at("full"), "--data", place.data)).toMatchObject({ code: 0 });
});

/** Adds a recording that takes a while to copy. */
function addLargeRecording(folder: string): void {
  const recording = join(folder, "recordings", "large");
  mkdirSync(recording, { recursive: true, mode: 0o700 });
  const stage = { name: "finished", startMs: 0, durationMs: 1 };
  const state = { version: 1, sessionId: "large", startedAtMs: 1, viewport: { width: 16, height: 16 }, stage };
  writeFileSync(join(recording, "recording.json"), JSON.stringify(state));
  for (let index = 0; index < 80; index += 1) writeFileSync(join(recording, `${index}.bin`), randomBytes(200_000));
}

test.each([
  ["SIGINT", 130, []],
  ["SIGKILL", null, [expect.stringMatching(/^\.target-SIGKILL\.\d+\.partial$/)]],
] as const)(
  "%s while a backup or a restore is made leaves none, and the next one is made",
  async (signal, code, left) => {
    const folder = await restoreTo(`large-${signal}`);
    addLargeRecording(folder);
    const parent = at(`beside-${signal}`);
    mkdirSync(parent);
    const target = join(parent, `target-${signal}`);
    const tasks = [
      ["backup", target, "--data", folder],
      ["restore", target, "--data", join(parent, "data", `target-${signal}`)],
    ] as const;
    mkdirSync(join(parent, "data"));
    for (const args of tasks) {
      const folderOfIt = args[0] === "backup" ? target : args[3];
      const around = join(folderOfIt, "..");
      for (const atWork of [/partial$/, /large\/1\d\.bin$/]) {
        const isAtWork = (): boolean => findNames(around, /partial/).some((name) => atWork.test(name));
        const ended = await interrupt(args, signal, isAtWork);
        expect([ended.code, ended.stdout]).toEqual([code, ""]);
        expect(existsSync(folderOfIt)).toBe(false);
        expect(
          readdirSync(around).filter((name) => name !== "data" && !existsSync(join(around, name, "backup.json"))),
        ).toEqual(left);
      }
      expect(await command(...args)).toMatchObject({ code: 0 });
      expect(findNames(around, /partial/)).toEqual([]);
    }
  },
);

test("a service that dies, or hangs, while it is asked for its records ends the backup, and the next one is made", async () => {
  const folder = await restoreTo("dying");
  const dying = await serve(folder);
  dying.process.kill("SIGSTOP");
  const isAsked = (): boolean => readdirSync(place.root).some((name) => name.startsWith(".from-dying"));
  const interrupted = await interrupt(["backup", at("from-dying"), "--data", folder], "SIGINT", isAsked);
  expect(interrupted).toMatchObject({ code: 130, stderr: expect.stringContaining("nothing is left of it") });
  const waiting = startCommand(["backup", at("from-dying"), "--data", folder]);
  await vi.waitUntil(isAsked, patience);
  dying.process.kill("SIGKILL");
  expect(await waiting.ended).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/does not answer|has ended while/),
  });
  expect(readdirSync(place.root).filter((name) => name.includes("from-dying"))).toEqual([]);
  const next = await command("backup", at("from-dying"), "--data", folder, "--json");
  expect([next.code, JSON.parse(next.stdout)]).toMatchObject([0, { running: false, recordings: 2 }]);
});
