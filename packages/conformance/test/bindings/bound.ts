/** Test files that use a binding, run by the runner that they are for, in a process of its own. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileCache } from "../cli/compile-cache.ts";
import { apiKey, example, sessionId, type Alter } from "../server.ts";

/** Result of a test runner's process. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  /** Number of conformance runs made. */
  readonly runs: number;
}

/** Result of the test of one check. */
export interface TestReport {
  readonly status: "passed" | "skipped" | "failed";
  /** Its reason, its message or its note. */
  readonly text: string;
}

/** A folder from which the package is found as in a project that has installed it. */
export class Project implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "conformance-bound-"));

  constructor() {
    const own = fileURLToPath(new URL("../..", import.meta.url));
    mkdirSync(join(this.folder, "node_modules/@cloud-browser"), { recursive: true });
    symlinkSync(own, join(this.folder, "node_modules/@cloud-browser/conformance"));
    symlinkSync(join(own, "node_modules/@playwright"), join(this.folder, "node_modules/@playwright"));
    writeFileSync(join(this.folder, "package.json"), '{ "type": "module" }');
  }

  /** Puts a file there, and gives its path. */
  write(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text);
    return join(this.folder, name);
  }

  /** Runs a program with Node.js, the files of this repository being those that are imported. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const runs = this.write("made", "");
    return new Promise((resolve) => {
      const child = spawn(process.execPath, args, {
        cwd: this.folder,
        env: {
          PATH: process.env["PATH"],
          NODE_OPTIONS: "--conditions=@cloud-browser/source",
          NO_COLOR: "1",
          MADE: runs,
          ...compileCache,
          ...env,
        },
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (text: Buffer) => (output += text.toString()));
      child.once("close", (code) => resolve({ code, output, runs: readFileSync(runs, "utf8").length }));
    });
  }

  /** Runs a test file by Node.js's own runner, and tells what its tests came to. */
  async tap(
    text: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended & { reports: Readonly<Record<string, TestReport>> }> {
    const file = this.write("node.test.ts", text);
    const ended = await this.run(["--test", "--test-reporter=tap", file], env);
    const parts = ended.output.split(/^ {4}# Subtest: (.*)$/m).slice(1);
    const reports: Record<string, TestReport> = {};
    for (let at = 0; at < parts.length; at += 2) {
      const result = parts[at + 1] ?? "";
      const status = /^ {4}not ok/m.test(result) ? "failed" : / # SKIP/.test(result) ? "skipped" : "passed";
      reports[parts[at] ?? ""] = { status, text: result };
    }
    return { ...ended, reports };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** The tests of `boundFile`, with what each does and says, in the order of the suite. */
export const toldOfFaults: Readonly<Record<string, TestReport>> = {
  "scrape/markdown-present": { status: "passed", text: "expected failure: expected until 9999-12-31: Issue 12 (us)" },
  "scrape/markdown-type": { status: "skipped", text: "No answer carried /markdown." },
  "scrape/images-type": { status: "failed", text: "received  an integer: 7" },
  "cookies/status-200": { status: "passed", text: "" },
  "cookies/cookies-type": { status: "failed", text: "received  an integer: 7" },
  "replay/status-200": { status: "skipped", text: "no ended session was given" },
  "cookies/refuses-key-in-other-case": { status: "passed", text: "warning: auth.key-exact" },
  "expected failures are in order": { status: "failed", text: "cookies/status-200 is expected to fail, but holds now" },
};

/** A server with a fault of each kind: two stated ones, one that is assumed, and one that is known. */
export const faults: Alter = (answer, { url, headers }) => {
  if (url.endsWith("/cookies") && answer.status === 200) return { ...answer, body: '{"cookies":7}' };
  if (url.endsWith("/cookies") && headers.authorization === `Bearer ${apiKey.toUpperCase()}`)
    return example("cookies.200.typical", 200);
  if (url.includes("/scrape") && answer.status === 200) return { ...answer, body: '{"images":7}' };
  return answer;
};

/** A test file for `faults`, whose address is in the environment. */
export function boundFile(binding: string): string {
  const only = Object.keys(toldOfFaults).filter((name) => name.includes("/"));
  return `
    import { appendFileSync } from "node:fs";
    import { liveTarget } from "@cloud-browser/conformance";
    import { describeConformance } from "@cloud-browser/conformance/${binding}";

    describeConformance({
      title: "a server with faults",
      target: () => liveTarget({
        baseUrl: process.env.TARGET,
        apiKey: "${apiKey}",
        sessionId: "${sessionId}",
      }),
      only: ${JSON.stringify(only)},
      expectedFailures: [
        { id: "scrape/markdown-present", reason: "Issue 12", owner: "us", expires: "9999-12-31" },
        { id: "cookies/status-200", reason: "Issue 13", owner: "us", expires: "9999-12-31" },
      ],
      onReport: () => appendFileSync(process.env.MADE, "."),
    });
  `;
}

/** The example of a section of the guide, for a server that is there. */
export function guideExample(section: string, baseUrl: string): string {
  const guide = readFileSync(new URL("../../../../docs/guides/first-verdict.md", import.meta.url), "utf8");
  const [, , code = ""] = new RegExp(`\\n## ${section}\\n([^]*?)\`\`\`ts from=\\S+\\n([^]*?)\`\`\``).exec(guide) ?? [];
  return code
    .replace("http://127.0.0.1:8080", baseUrl)
    .replace('"test-key"', JSON.stringify(apiKey))
    .replace("open-session", sessionId);
}
