import { createServer } from "node:net";
import { mkdirSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareReports } from "../../src/baseline/compare.ts";
import { renderChanges } from "../../src/baseline/changes-text.ts";
import { register } from "../../src/cli/run.ts";
import { isIgnored, Triggers } from "../../src/cli/triggers.ts";
import type { CheckResult } from "../../src/report/report.ts";
import { commandHere } from "./command-here.ts";
import { ownFolder } from "./own-folder.ts";
import { listen } from "../listen.ts";
import { acting, check, failedCheck, hostile, makeReport, skippedCheck } from "../report/reports.ts";

const folder = ownFolder();
const server = createServer((socket) => socket.destroy());
let address: string;
beforeAll(async () => {
  address = await listen(server);
});
afterAll(() => void server.close());

const never = new AbortController().signal;

async function watching(...paths: string[]): Promise<Triggers> {
  const triggers = new Triggers({ address, paths, out: folder.path });
  await triggers.ready;
  return triggers;
}

describe("changes that trigger another run", () => {
  test("is a file that changes, also while nobody waits", async () => {
    const file = folder.write("conformance.config.yaml", "seed: 1");
    const next = folder.write("next", "seed: 2");
    await using triggers = await watching(file);
    renameSync(next, file);
    expect(await triggers.next(never)).toMatch(/conformance\.config\.yaml has changed$/);
    triggers.trigger("Enter was pressed");
    expect(await triggers.next(never)).toBe("Enter was pressed");
  });

  test("is a file that comes into a folder", async () => {
    const source = join(folder.path, "source");
    mkdirSync(source);
    await using triggers = await watching(source);
    folder.write("source/server.ts", "");
    expect(await triggers.next(never)).toMatch(/server\.ts has changed$/);
  });

  test.for([
    ["a report", "reports/report.json", true],
    ["another file of that name", "data/report.json", false],
    ["another file beside the reports", "reports/server.ts", false],
    ["a dependency", "src/node_modules/a/index.js", true],
    ["what git keeps", ".git/index", true],
    ["a source", "src/server.ts", false],
  ] as const)("is %s or not", ([, path, ignored]) => {
    expect(isIgnored(resolve(path), "reports")).toBe(ignored);
  });

  test("is a target that answers again after it was down", async () => {
    const target = createServer((socket) => socket.destroy());
    const at = await listen(target);
    const down = Promise.withResolvers<void>();
    await using triggers = new Triggers({ address: at, paths: [], out: folder.path }, down.resolve);
    const next = triggers.next(never);
    await new Promise((closed) => target.close(closed));
    await down.promise;
    target.listen(Number(new URL(at).port), "127.0.0.1");
    expect(await next).toBe("the target answers again");
    target.close();
  });

  test("is none when Ctrl-C ends the wait, or came before it", async () => {
    await using triggers = await watching();
    const controller = new AbortController();
    const next = triggers.next(controller.signal);
    controller.abort();
    expect(await next).toBeUndefined();
    triggers.trigger("Enter was pressed");
    expect(await triggers.next(controller.signal)).toBeUndefined();
  });
});

function changes(before: readonly CheckResult[], after: readonly CheckResult[]): string {
  return renderChanges(compareReports(makeReport({ checks: before }), makeReport({ checks: after })));
}

describe("changes since the previous run", () => {
  test("is told in the words of the comparison", () => {
    const before = [check("a"), failedCheck("b"), failedCheck("c"), ...["d", "e", "f", "g"].map((id) => check(id))];
    const assumed = { ...failedCheck("h"), level: "assumed" as const };
    const rows = ["d", "e", "f", "g"].map((id) => skippedCheck(id));
    expect(changes(before, [failedCheck("a"), check("b"), failedCheck("c"), ...rows, assumed]).split("\n")).toEqual([
      "Since the previous run:",
      "  newly failing (2)",
      "    a (scrape.response.markdown.required)",
      "    h (scrape.response.markdown.required, only warns)",
      "  newly passing (1)",
      "    b",
      "  no longer judged (4): d, e, f and 1 more",
      "  1 failing as before",
    ]);
  });

  test("is nothing when all is as it was", () => {
    expect(changes([check("a")], [check("a")])).toBe("Since the previous run: no changes.");
  });

  test("is told in at most twenty rows of a kind, and none of them acts", () => {
    const ids = Array.from({ length: 23 }, (_, at) => `check-${at}`);
    expect(changes(ids.map(check), ids.map(failedCheck))).toMatch(/check-19 [^]*\n {4}and 3 more\n?$/);
    expect(changes([check(hostile)], [failedCheck(hostile)])).not.toMatch(acting);
  });
});

test("without a terminal it is refused, before anything else", async () => {
  await expect(commandHere(register, "run", "--watch")).rejects.toMatchObject({
    code: "usage",
    message: "--watch needs an interactive terminal; leave it out in CI and when the output is piped",
  });
});
