import { expect, vi } from "vitest";
import { ask } from "../command-line.ts";
import type { Fault } from "./fault.ts";
import type { FaultyService } from "./faulty-service.ts";
import { liveThrough, notLines, type Asked } from "./life.ts";

/** Longer than anything takes that goes on by itself once a fault is over, in milliseconds. */
const patience = { timeout: 90_000, interval: 100 };

/** Streams break off where what they consist of can't be read; their readers ask again. */
const streams = /^(?:POST \/api\/automation\/start|GET \/control\/runs\/:id\/events)$/u;

/** A page that can't be had, as its proxy has no connection for it, is 502. */
const ofPages = /^(?:POST \/control\/sessions|POST \/sessions\/:id\/page\/scrape)$/u;

/** Returns whether an answer is one that clients of a service with a fault may get. */
export function isHonest({ what, status }: Asked): boolean {
  if (typeof status === "string") return streams.test(what);
  if (status < 400 || status === 503) return true;
  if (status === 502) return ofPages.test(what) || streams.test(what);
  return status === 409 && what.endsWith("replay");
}

/** Returns whether an answer says that a recording is gone. */
function isToldGone({ what, status, text }: Asked): boolean {
  return status === 500 && what.endsWith("replay") && text.includes("removed from outside");
}

/** What a life with a fault was like. */
export interface Survival {
  /** How its process ended, with what it said at last; null when it goes on. */
  readonly end: string | null;
  /** Answers that are none, or that say what is not so. */
  readonly dishonest: readonly Asked[];
  /** What was written to the log and is no line of it. */
  readonly notLines: readonly string[];
  /** How often the fault was met. */
  readonly hits: number;
}

/** A good one, of which only the number of faults is open. */
export const survived = { end: null, dishonest: [], notLines: [] };

/** Lives with a fault. */
export async function live({ served, plan }: FaultyService, fault: Fault, page: string): Promise<Survival> {
  const from = served.stderr().length;
  await plan(fault);
  const answers = await liveThrough(served.url, page);
  const { exitCode, signalCode } = served.process;
  const code = exitCode ?? signalCode;
  const end =
    code === null
      ? null
      : `${code}: ${
          served
            .stderr()
            .slice(from)
            .split("\n")
            .findLast((line) => line.includes("fatal")) ?? ""
        }`;
  const hits = end === null ? (await plan()).hits : 1;
  const isGone = fault.kind === "ENOENT" || fault.kind === "ENOTDIR";
  const dishonest = answers.filter(
    (one) => (!isHonest(one) && !(isGone && isToldGone(one))) || (one.status === 503 && one.text === ""),
  );
  return { end, dishonest, notLines: notLines(served.stderr().slice(from)), hits };
}

/** Waits until everything is as it was. */
export async function recover({ served }: Pick<FaultyService, "served">): Promise<void> {
  await vi.waitFor(async () => {
    const health = await fetch(`${served.url}/health`);
    expect(await health.json()).toMatchObject({ status: "ok", sessions: 0 });
    const { sessions } = await ask<{ sessions: readonly { state: string }[] }>(served, "GET", "/control/sessions");
    expect(sessions.filter(({ state }) => state !== "ended")).toEqual([]);
  }, patience);
}
