import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { listProcessesNaming } from "@cloud-browser/testing/browser-processes.ts";
import { startSite } from "@cloud-browser/testing/site.ts";
import { startTestService } from "../running-service.ts";

test("a scrape is answered although its browser was kept busy for longer than it may take", async () => {
  const root = mkdtempSync(join(tmpdir(), "cloud-browser-busy-"));
  vi.stubEnv("TMPDIR", root);
  await using site = await startSite({ "/": "<title>Ferries</title><h1>Harbour ferries</h1>" });
  await using running = await startTestService({ data: join(root, "data") });
  const { session_id: id } = await running.open({ url: `${site.url}/` });
  // The browser itself: all others of its processes have a type.
  const browsers = listProcessesNaming(root).filter(
    (pid) => !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type="),
  );
  for (const pid of browsers) process.kill(pid, "SIGSTOP");
  const goOn = (): void => browsers.forEach((pid) => process.kill(pid, "SIGCONT"));
  const timer = setTimeout(goOn, 17_000);
  const response = await running.ask("POST", `/sessions/${id}/page/scrape`, {});
  clearTimeout(timer);
  goOn();
  expect({ status: response.status, said: await response.text() }).toEqual({
    status: 200,
    said: expect.stringContaining("Harbour ferries"),
  });
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});
