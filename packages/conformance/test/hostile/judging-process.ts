/** Judges a hostile target in a process of its own, and says whether all bounds were kept. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compileCache } from "../cli/compile-cache.ts";
import { startHostile, type HostileTarget } from "./hostile-server.ts";

const script = fileURLToPath(new URL("judging-run.ts", import.meta.url));

/** Largest growth of the memory of a run, in mebibytes, when garbage is collected. */
const boundMb = 200;

/** Times are short, since all of it is near; sizes are those of every run. */
const limits = { timeoutMs: 300, streamTimeoutMs: 400, idleTimeoutMs: 300, closeGraceMs: 100 };

/** For targets that are as fast as they can be: only sizes may end what they send. */
const patient = { ...limits, timeoutMs: 50_000, streamTimeoutMs: 50_000, idleTimeoutMs: 50_000 };

interface JudgingResult {
  readonly verdict: string;
  readonly sentence: string;
  readonly exchanges: number;
  readonly grownMb: number;
  readonly sizes: Readonly<Record<string, number>>;
  readonly acting: readonly string[];
  readonly scripts: number;
  readonly invalid: unknown;
}

/** Judges a target in a process of its own, whose heap is held to 512 MB. */
function runInProcess(url: string, isFast: boolean): Promise<JudgingResult> {
  const args = [
    "--max-old-space-size=512",
    "--expose-gc",
    "--conditions=@cloud-browser/source",
    script,
    url,
    JSON.stringify(isFast ? patient : limits),
    String(boundMb),
  ];
  const env = { ...process.env, ...compileCache };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env, maxBuffer: 1e7, timeout: 200_000 }, (error, stdout, stderr) => {
      if (error) return reject(new Error(`${error.message}\n${stderr.slice(-2000)}`));
      const result: JudgingResult = JSON.parse(stdout);
      return resolve(result);
    });
  });
}

/** Compares the result with all bounds, each as true or false, so that a failure names it. */
export async function measureBounds({ serve, isFast = false, isUnclear = false }: HostileTarget): Promise<object> {
  await using hostile = await startHostile(serve);
  const { verdict, sentence, grownMb, sizes, acting, scripts, invalid } = await runInProcess(hostile.url, isFast);
  const isRight = verdict === "not-conforming" || (verdict === "unfinished" && isUnclear);
  const { json = Infinity, html = Infinity } = sizes;
  return {
    verdict: isRight ? "right" : verdict,
    hasSentence: sentence !== "",
    acting,
    scripts,
    invalid,
    memory: grownMb <= boundMb ? "bounded" : `${grownMb} MB`,
    json: json < 20e6 ? "bounded" : json,
    html: html < 5e6 ? "bounded" : html,
  };
}

/** Bounds that hold for every target. */
export const bounds = {
  verdict: "right",
  hasSentence: true,
  acting: [],
  scripts: 1,
  invalid: null,
  memory: "bounded",
  json: "bounded",
  html: "bounded",
};
