/** A use of the packages, as a program and what it must print. */
export interface Use {
  readonly name: string;
  readonly program: string;
  readonly expected: readonly RegExp[];
}

const parts = ["client", "client/cookies", "client/replay", "stream", "conformance", "service"];

/** What who installs the client, the suite and the service does with them. */
export const uses: readonly Use[] = [
  {
    name: "every entry point",
    program: `
import openapi from "@cloud-browser/spec/openapi.json" with { type: "json" };
for (const part of ${JSON.stringify(parts)}) console.log(part, Object.keys(await import("@cloud-browser/" + part)).length > 0);
console.log(openapi.openapi);
`,
    expected: [...parts.map((part) => new RegExp(`^${part} true$`, "m")), /^3\.2/m],
  },
  {
    name: "the command lines",
    program: `
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
const { resolve } = createRequire(import.meta.url);
for (const [name, ...args] of [["conformance", "--help"], ["conformance", "run"], ["conformance", "--target", "service"], ["service", "--help"], ["cli", "--help"], ["cli", "serve", "--help"], ["cli", "ls", "--json-schema"]]) {
  const cli = resolve("@cloud-browser/" + name + "/package.json").replace("package.json", "dist/cli.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, cli, ...args], { encoding: "utf8" });
  console.log(name, args.join(" "), status, (/^FAIL [^]*/m.exec(stdout)?.[0] ?? stdout + stderr).slice(0, 800), /^\\d+ passed, 0 failed/m.exec(stdout)?.[0]);
}
`,
    expected: [
      /conformance --help 0 Usage/,
      /conformance run (2 .*npm install --save-dev @stoplight\/prism-cli@|0 .*[1-9]\d\d passed, 0 failed)/s,
      /conformance --target service 0 .*[1-9]\d\d passed, 0 failed/s,
      /service --help 0 Usage/,
      /cli --help 0 Usage: cloud-browser/,
      /cli serve --help 0 Usage: cloud-browser serve/,
      /cli ls --json-schema 0 \{/,
    ],
  },
  {
    name: "the service with its client",
    program: `
import { createCloudBrowser } from "@cloud-browser/client";
import { downloadReplay, waitForReplay } from "@cloud-browser/client/replay";
import { startService } from "@cloud-browser/service";
await using service = await startService({ data: "data" });
const client = createCloudBrowser({ baseUrl: service.url, apiKey: service.apiKey });
const { session_id } = await service.open();
const { markdown } = await client.scrape(session_id);
const { structured } = await client.scrape(session_id, { response_format: { type: "object", properties: { name: { type: "string" } } } });
await service.end(session_id);
const replay = await waitForReplay(client, session_id, { deadlineMs: 60_000 });
const { bytes } = await downloadReplay(client, session_id, "replay.mp4");
console.log("scraped", typeof markdown, "structured", typeof structured?.success, "recorded", replay.video_duration_ms > 0, "downloaded", bytes > 1000);
`,
    expected: [/scraped string structured boolean recorded true downloaded true/],
  },
];
