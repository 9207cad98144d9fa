/** The suite of this package, through its command line, as a person starts it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "../../src/report/report.ts";
import { run } from "../command.ts";
import { apiKey, endedSession, openSession, runLimitMs, type Suite } from "../suite.ts";

const command = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

export const ours: Suite = {
  name: "this suite",
  input: "address, key, two sessions; profile full, one run",
  prepare: async () => {
    process.env["CLOUD_BROWSER_API_KEY"] = apiKey;
  },
  judge: async (address, _, own) => {
    const sessions = ["--session-id", openSession, "--ended-session-id", endedSession];
    const settings = ["--profile", "full", "--timeout", "10", "--report", "json", "--out", own];
    const start = ["--conditions=@cloud-browser/source", "--no-warnings", command, "run", "--base-url", address];
    const { late, output } = await run(process.execPath, [...start, ...sessions, ...settings], own, runLimitMs);
    if (late) return { complaints: [], broke: "took too long" };
    try {
      const report: Report = JSON.parse(readFileSync(join(own, "report.json"), "utf8"));
      // Warnings count, too: those of requirements that are assumed.
      const failed = report.checks.filter(({ status }) => status === "fail");
      return { complaints: failed.map(({ id }) => id) };
    } catch {
      return { complaints: [], broke: output.slice(-300) };
    }
  },
};
