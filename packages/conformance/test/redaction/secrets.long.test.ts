import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { curlCommand } from "../../src/report/shell/curl.ts";
import { renderAnnotations } from "../../src/report/annotations.ts";
import { readReport } from "../../src/report/read-report.ts";
import { conformance } from "../cli/command.ts";
import { listTexts } from "../report/reports.ts";
import { canaries, headers, key, startMalicious } from "./secrets-target.ts";

/** Runs the command as a person would, and gives all that it wrote. */
async function writtenBy(args: readonly string[], apiKey: string, cwd: string): Promise<string> {
  const env = { CLOUD_BROWSER_API_KEY: apiKey, GITHUB_ACTIONS: "true" };
  const { stdout, stderr } = await conformance(args, { env, cwd });
  return stdout + stderr;
}

const headerFlags = Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);

/** All artefacts of two runs against the malicious target, by name. */
async function writeArtefacts(apiKey: string): Promise<Map<string, string>> {
  await using malicious = await startMalicious(apiKey);
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  try {
    const { baseUrl, sessionId, endedSessionId } = malicious.target;
    const sessions = ["--session-id", sessionId, "--ended-session-id", endedSessionId];
    const target = ["--base-url", baseUrl, ...sessions, ...headerFlags];
    const limits = "--profile full --max-runs 3 --timeout 20 --report html,json,junit,markdown,har".split(" ");
    const run = ["run", ...target, ...limits];
    const texts = new Map([
      ["terminal, progress and annotations", await writtenBy([...run, "--out", "one"], apiKey, folder)],
      ["config", await writtenBy(["config", ...target], apiKey, folder)],
    ]);
    await writtenBy([...run, "--seed", "2", "--out", "two"], apiKey, folder);
    texts.set("compare", await writtenBy(["compare", "one/report.json", "two/report.json"], apiKey, folder));
    for (const name of readdirSync(join(folder, "one")))
      texts.set(name, readFileSync(join(folder, "one", name), "utf8"));
    const report = readReport(join(folder, "one", "report.json"));
    texts.set("commands", report.exchanges.map(curlCommand).join("\n"));
    texts.set("annotations", renderAnnotations(report));
    // As programs read them, without the escapes of JSON.
    texts.set("strings of the report", listTexts(report).join("\n"));
    return texts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.for([
  ["as services give it out", key],
  ["of words", "northern-lights-over-bergen"],
  ["of six characters", "k7m2xq"],
  ["of seven characters", "test-01"],
] as const)("of a key %s no artefact holds a trace, nor of any other secret", async ([, apiKey]) => {
  const artefacts = await writeArtefacts(apiKey);
  const files = ["report.html", "report.json", "report.har", "report.md", "junit.xml"];
  expect([...artefacts.keys()]).toEqual(expect.arrayContaining([...files, "compare", "config"]));
  const leaks = [...artefacts].flatMap(([artefact, text]) =>
    [...canaries(apiKey)].flatMap(([name, canary]) => {
      const at = text.indexOf(canary);
      return at < 0 ? [] : [`${artefact}: ${name} in ${text.slice(Math.max(0, at - 60), at + 60)}`];
    }),
  );
  expect(leaks).toEqual([]);
  // Too short to be looked for as a value: it is taken out where it belongs.
  expect([...artefacts.values()].join("\n")).not.toMatch(/x-session-pin\W{1,40}4711/);
  const short = [...artefacts].filter(([artefact, text]) => artefact !== "config" && text.length < 200);
  expect(short).toEqual([]);
});
