/** The pictures of recordings, decoded by ffmpeg: the one of this repository, or the one on the PATH. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { runConformance } from "../../src/run/run-conformance.ts";
import { decodeFrames, findFfmpeg } from "../../src/site/decode-frames.ts";
import { quick, withStatus } from "../pages/run-suite.ts";
import { drawMovie, type MovieOptions } from "./clock-movies.ts";
import { pictureFaults } from "./picture-faults.ts";
import { media, SiteServer } from "../pages/site-server.ts";

const own = fileURLToPath(new URL("../../../ffmpeg-linux-x64/ffmpeg", import.meta.url));
const ffmpeg = (await findFfmpeg(existsSync(own) ? own : undefined)) ?? "";

/** Returns the failed checks for a recording that is drawn in this way. */
async function blamed(movie: MovieOptions): Promise<{ fail: string[]; requirements: string[] }> {
  await using server = await SiteServer.start({
    replay: (replay) => ({
      ...replay,
      video_duration_ms: 3000,
      playlist_content: replay.playlist_content.replaceAll("1.000", "1.500").replace("TARGETDURATION:1", "$&0"),
    }),
    file: (name, answer, _, count) => {
      const source = [...server.sessions.values()].at(0)?.browser.source ?? "";
      const mark = /const bytes = \[178, (\d+),/.exec(source)?.[1];
      const isFirst = name.endsWith(".mp4") && count === 1;
      return isFirst ? { ...answer, body: drawMovie(ffmpeg, Number(mark), movie) } : answer;
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
  const correct: readonly { film: string; movie: MovieOptions }[] = [
    { film: "in real time", movie: {} },
    { film: "with a picture a second", movie: { rate: 1 } },
    { film: "with bars at its sides", movie: { bars: 60 } },
    { film: "that begins half a second after the page", movie: { ageAt: (ms) => ms + 500 } },
    {
      film: "that shows its end for a moment only",
      movie: { rate: 25, ageAt: (ms) => (ms < 2900 ? Math.min(ms, 1000) : ms) },
    },
    { film: "with 25 pictures a second, of which some repeat", movie: { rate: 25, ageAt: (ms) => ms - (ms % 400) } },
  ];

  test.for(correct)("$film gets no finding", async ({ movie }) => {
    expect(await blamed(movie)).toEqual({ fail: [], requirements: [] });
  });

  test.for(pictureFaults)("$film fails $check, and nothing else", async ({ movie, check, requirement }) => {
    expect(await blamed(movie)).toEqual({
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

/** Returns the failed checks where two sessions have these recordings. */
async function collectBlamed(first: MovieOptions, second: MovieOptions): Promise<string[]> {
  await using server = await SiteServer.start({
    replay: (replay) => ({ ...replay, video_duration_ms: 3000 }),
    file: (name, answer, _, count, times) => {
      if (!name.endsWith(".mp4") || (count > 1 && times > 1)) return answer;
      return { ...answer, body: drawMovie(ffmpeg, 3, count === 1 ? first : second) };
    },
  });
  const only = ["recording/of-its-session"];
  return withStatus(await runConformance(server.target, { ...quick, only, ffmpeg }), "fail");
}

describe("the recording of another session", () => {
  /** A film that shows no page of the suite: its pictures are compared, each with each. */
  const anywhere = { otherMark: 7 };

  const rows: readonly { film: string; second: MovieOptions; isFound: boolean }[] = [
    { film: "that is the same film in another quality", second: { ...anywhere, loss: 20 }, isFound: true },
    { film: "that is the same film at another rate", second: { ...anywhere, rate: 10 }, isFound: true },
    { film: "of another page that moves", second: { otherMark: 200 }, isFound: false },
    { film: "of the same page at another time", second: { ...anywhere, ageAt: (ms) => ms + 90_000 }, isFound: false },
    { film: "of a page that stands still", second: { ...anywhere, ageAt: () => 0 }, isFound: false },
    { film: "that is black", second: { black: true }, isFound: false },
  ];

  test.for(rows)("$film is found: $isFound", async ({ second, isFound }) => {
    expect(await collectBlamed(anywhere, second)).toEqual(isFound ? ["recording/of-its-session"] : []);
  });

  test("of two pages that stand still is not compared", async () => {
    const still: MovieOptions = { ...anywhere, ageAt: () => 0 };
    expect(await collectBlamed(still, { ...still, loss: 20 })).toEqual([]);
  });
});

test("without ffmpeg the pictures are skipped, with the reason", async () => {
  await using server = await SiteServer.start();
  const missing = "/nowhere/ffmpeg";
  const report = await runConformance(server.target, { ...quick, only: ["recording/keeps-time"], ffmpeg: missing });
  expect(report.checks).toMatchObject([{ status: "skip", reason: `No ffmpeg was found (${missing}).` }]);
});
