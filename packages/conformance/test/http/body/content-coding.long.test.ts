import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../src/report/report.ts";
import { runConformance } from "../../../src/run/run-conformance.ts";
import { liveTarget } from "../../../src/run/live-target.ts";
import { apiKey, endedSessionId, sessionId, startServer, type Alter, type Manners } from "../../server.ts";

/** Prefix of a body that is to be compressed: the coding, in front of the body. */
const mark = /^coding:([\w, -]*):/;

const packers: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  plain: (body) => body,
};

/** Packs a body in several codings, one after the other. */
const packed = (body: string, codings: string): Buffer =>
  codings.split(", ").reduce<Buffer>((bytes, coding) => packers[coding]?.(bytes) ?? bytes, Buffer.from(body));

const packs: NonNullable<Manners["pieces"]> = (body) => [packed(body.replace(mark, ""), mark.exec(body)?.[1] ?? "")];

/** Answers in a coding, which the header tells, or tells otherwise. */
const coded =
  (coding: string, name = coding): Alter =>
  (answer) =>
    answer.body === ""
      ? answer
      : {
          ...answer,
          headers: { ...answer.headers, "content-encoding": name },
          body: `coding:${coding}:${answer.body}`,
        };

async function judgeCoding(alter: Alter): Promise<Report> {
  await using server = await startServer(alter, { pieces: packs });
  const target = liveTarget({ baseUrl: server.url, apiKey, sessionId, endedSessionId });
  return await runConformance(target, { profile: "full", limits: { timeoutMs: 60_000, streamTimeoutMs: 60_000 } });
}

const withStatus = (report: Report, status: string): string[] =>
  report.checks.filter((check) => check.status === status).map(({ id, reason = "" }) => `${id}: ${reason}`);

describe("a server that packs its answers", () => {
  test("unless it is asked not to conforms", async () => {
    const report = await judgeCoding((answer, request) =>
      request.headers["accept-encoding"] === "identity" ? answer : coded("gzip")(answer, request),
    );
    expect(report.verdict).toBe("conforming");
  });

  test.for(["gzip", "x-gzip", "deflate", "br", "zstd", "gzip, br"])(
    "although it is asked not to conforms: %s",
    async (coding) => {
      const report = await judgeCoding(coded(coding));
      expect(report.checks.flatMap(({ findings }) => findings)).toEqual([]);
      expect(report.verdict).toBe("conforming");
    },
  );

  test.for(["compress", Array(5).fill("gzip").join(", ")])(
    "in a way that is not known is not judged: %s",
    async (name) => {
      const report = await judgeCoding(coded("plain", name));
      expect(withStatus(report, "fail")).toEqual([]);
      expect(report.verdict).toBe("unfinished");
      expect(withStatus(report, "error")).toContainEqual(expect.stringMatching(/^cookies\/json: .*content coding/));
      expect(withStatus(report, "error")).toContainEqual(
        expect.stringMatching(/^stream\/one-terminal-event: .*content coding/),
      );
    },
  );

  test.for([
    ["plain", "gzip"],
    ["gzip", "br"],
    ["gzip", "gzip, gzip"],
  ] as const)("otherwise than it tells is found: %s called %s", async ([coding, name]) => {
    const report = await judgeCoding(coded(coding, name));
    expect(report.verdict).toBe("not-conforming");
    const failed = withStatus(report, "fail");
    expect(failed).toContainEqual(expect.stringMatching(/^cookies\/json:/));
    expect(failed).toContainEqual(expect.stringMatching(/^stream\/one-terminal-event:/));
  });
});
