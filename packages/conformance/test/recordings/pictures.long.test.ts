/** The pictures of recordings, decoded by ffmpeg: the one of this repository, or the one on the PATH. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { runConformance } from "../../src/run/run-conformance.ts";
import { decodeFrames, findFfmpeg } from "../../src/site/decode-frames.ts";
import { quick, withStatus } from "../pages/run-suite.ts";
import { drawMovie, type Drawn } from "./clock-movies.ts";
import { pictureFaults } from "./picture-faults.ts";
import { media, SiteServer } from "../pages/site-server.ts";

const own = fileURLToPath(new URL("../../../ffmpeg-linux-x64/ffmpeg", import.meta.url));
const ffmpeg = (await findFfmpeg(existsSync(own) ? own : undefined)) ?? "";

/** Returns the failed checks for a recording that is drawn in this way. */
async function blamed(drawn: Drawn): Promise<{ fail: string[]; requirements: string[] }> {
  await using server = await SiteServer.start({
    replay: (replay) => ({ ...replay, video_duration_ms: 3000 }),
    file: (name, answer, _, count) => {
      const source = [...server.sessions.values()].at(0)?.browser.source ?? "";
      const mark = /const bytes = \[178, (\d+),/.exec(source)?.[1];
      const isFirst = name.endsWith(".mp4") && count === 1;
      return isFirst ? { ...answer, body: drawMovie(ffmpeg, Number(mark), drawn) } : answer;
    },
  });
  const report = await runConformance(server.target, { ...quick, only: ["recording/*"], ffmpeg });
  const findings = report.checks.flatMap((check) => check.findings);
  return { fail: withStatus(report, "fail"), requirements: [...new Set(findings.map((one) => one.requirement))] };
}

beforeAll(() => {
  if (ffmpeg === "") throw new Error(`install ffmpeg: the repository has none for ${process.platform} ${process.arch}`);
});

describe("a recording of the page", () => {
  const correct: readonly { given: string; drawn: Drawn }[] = [
    { given: "in real time", drawn: {} },
    { given: "with a picture a second", drawn: { rate: 1 } },
    { given: "with bars at its sides", drawn: { bars: 60 } },
    { given: "that begins half a second after the page", drawn: { ageAt: (ms) => ms + 500 } },
    {
      given: "that shows its end for a moment only",
      drawn: { rate: 25, ageAt: (ms) => (ms < 2900 ? Math.min(ms, 1000) : ms) },
    },
    { given: "with 25 pictures a second, of which some repeat", drawn: { rate: 25, ageAt: (ms) => ms - (ms % 400) } },
  ];

  test.for(correct)("$given gets no finding", async ({ drawn }) => {
    expect(await blamed(drawn)).toEqual({ fail: [], requirements: [] });
  });

  test.for(pictureFaults)("$given fails $check, and nothing else", async ({ drawn, check, requirement }) => {
    expect(await blamed(drawn)).toEqual({
      fail: [`recording/${check}`],
      requirements: [`recording.${requirement}`],
    });
  });

  test("that is no movie gives a reason, and leaves no file behind", async () => {
    expect(await decodeFrames(Buffer.from("<html></html>"), ffmpeg)).toEqual({
      reason: "ffmpeg decoded no frame of the MP4.",
    });
    expect(await decodeFrames(media("movie.mp4"), ffmpeg)).toMatchObject({ frames: { length: 10 } });
  });
});

test("without ffmpeg the pictures are skipped, with the reason", async () => {
  await using server = await SiteServer.start();
  const missing = "/nowhere/ffmpeg";
  const report = await runConformance(server.target, { ...quick, only: ["recording/keeps-time"], ffmpeg: missing });
  expect(report.checks).toMatchObject([{ status: "skip", reason: `No ffmpeg was found (${missing}).` }]);
});
