import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { packageManagers, Project } from "./package-managers.ts";

const names = ["client", "stream", "spec", "conformance", "service"].map((name) => `@cloud-browser/${name}`);

const imports = `
import openapi from "@cloud-browser/spec/openapi.json" with { type: "json" };
const parts = ["client", "client/cookies", "client/replay", "stream", "conformance", "service"];
for (const part of parts) console.log(part, Object.keys(await import("@cloud-browser/" + part)).length > 0);
console.log(openapi.openapi);
`;

const commands = `
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
const { resolve } = createRequire(import.meta.url);
for (const [name, ...args] of [["conformance", "--help"], ["conformance", "run"], ["conformance", "--target", "service"], ["service", "--help"]]) {
  const cli = resolve("@cloud-browser/" + name + "/package.json").replace("package.json", "dist/cli.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, cli, ...args], { encoding: "utf8" });
  console.log(name, args.join(" "), status, (/^FAIL [^]*/m.exec(stdout)?.[0] ?? stdout + stderr).slice(0, 800), /^\\d+ passed, 0 failed/m.exec(stdout)?.[0]);
}
`;

const recorded = `
import { createCloudBrowser } from "@cloud-browser/client";
import { downloadReplay, waitForReplay } from "@cloud-browser/client/replay";
import { startService } from "@cloud-browser/service";
await using service = await startService({ data: "data" });
const client = createCloudBrowser({ baseUrl: service.url, apiKey: service.apiKey });
const { session_id } = await service.open();
const { markdown } = await client.scrape(session_id);
await service.end(session_id);
const replay = await waitForReplay(client, session_id, { deadlineMs: 60_000 });
const { bytes } = await downloadReplay(client, session_id, "replay.mp4");
console.log("scraped", typeof markdown, "recorded", replay.video_duration_ms > 0, "downloaded", bytes > 1000);
`;

describe.each(packageManagers)("with $name", (manager) => {
  const project = new Project(join(inject("packedFolder"), manager.name.replaceAll(/\W/g, "-")), manager);

  test("all packages are installed, nothing of what comes along runs a script, and what they are for can be done", async () => {
    const installed = await project.install(names, inject("packed"));
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.output).not.toMatch(/IGNORED_BUILDS|postinstall|lifecycle script/i);
    expect(project.installScripts()).toEqual([]);

    const imported = await project.program(imports);
    const loaded = ["client", "client/cookies", "client/replay", "stream", "conformance", "service"];
    const lines = [...loaded.map((part) => `${part} true`), expect.stringMatching(/^3\.2/)];
    expect(imported.output.split("\n")).toEqual(expect.arrayContaining(lines));

    const { output } = await project.program(commands);
    expect(output).toMatch(/conformance --help 0 Usage/);
    expect(output).toMatch(/conformance run 2 .*npm install --save-dev @stoplight\/prism-cli@/s);
    expect(output).toMatch(/conformance --target service 0 .*[1-9]\d\d passed, 0 failed/s);
    expect(output).toMatch(/service --help 0 Usage/);

    expect((await project.program(recorded)).output).toContain("scraped string recorded true downloaded true");
  }, 600_000);
});
