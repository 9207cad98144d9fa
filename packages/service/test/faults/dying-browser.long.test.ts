import { listOwnBrowserProcesses, listOwnBrowsers } from "@cloud-browser/testing/browser-processes.ts";
import { startSite } from "@cloud-browser/testing/site.ts";
import { afterEach, describe, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

/** What befalls processes of a browser. */
interface Fault {
  readonly name: string;
  readonly signal: "SIGKILL" | "SIGSTOP";
  readonly find: () => readonly number[];
}

const zygotes = (): number[] => listOwnBrowserProcesses("--type=zygote");
/** After these its pages work on. */
const passing: readonly Fault[] = [
  { name: "its GPU process is killed", signal: "SIGKILL", find: () => listOwnBrowserProcesses("--type=gpu-process") },
  {
    name: "its network service is killed",
    signal: "SIGKILL",
    find: () => listOwnBrowserProcesses("--utility-sub-type=network.mojom.NetworkService"),
  },
  { name: "all its utilities are killed", signal: "SIGKILL", find: () => listOwnBrowserProcesses("--type=utility") },
];
/** After these it can't open a page. */
const lasting: readonly Fault[] = [
  { name: "it is killed", signal: "SIGKILL", find: listOwnBrowsers },
  { name: "its zygotes are killed", signal: "SIGKILL", find: zygotes },
  { name: "it stands still", signal: "SIGSTOP", find: listOwnBrowsers },
  { name: "its zygotes stand still", signal: "SIGSTOP", find: zygotes },
];

let stopped: number[] = [];
afterEach(() => {
  for (const pid of stopped.splice(0)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
});

function cause({ signal, find }: Fault): void {
  const pids = find();
  expect(pids).not.toEqual([]);
  if (signal === "SIGSTOP") stopped = [...pids];
  for (const pid of pids) process.kill(pid, signal);
}

/** Creates a session, and reads its page. */
async function useSession(running: TestService, url: string): Promise<{ created: number; scraped: number }> {
  const created = await running.ask("POST", "/control/sessions", { url });
  if (created.status !== 201) throw new Error(`HTTP ${created.status}: ${await created.text()}`);
  const { session_id } = await readAnswer<SessionView>(created);
  const scraped = await running.ask("POST", `/sessions/${session_id}/page/scrape`, {});
  await scraped.arrayBuffer();
  return { created: created.status, scraped: scraped.status };
}

const works = { created: 201, scraped: 200 };
const page = { "/": "<title>Harbour</title><h1>Ferries</h1>" };

describe.each([...lasting, ...passing])("a browser of which $name", (fault) => {
  test("is not the one of a session that is created afterwards, or works again", async () => {
    await using site = await startSite(page);
    await using running = await startTestService();
    cause(fault);
    expect(await useSession(running, `${site.url}/`)).toEqual(works);
  });

  test("does not keep several sessions at a time from being created", async () => {
    await using site = await startSite(page);
    await using running = await startTestService();
    await useSession(running, `${site.url}/`);
    cause(fault);
    const all = await Promise.all([1, 2, 3].map(() => useSession(running, `${site.url}/`)));
    expect(all).toEqual([works, works, works]);
  });
});

describe.each(lasting)("a browser of which $name", (fault) => {
  test("ends its sessions with that reason", async () => {
    await using site = await startSite(page);
    await using running = await startTestService();
    const { session_id } = await running.open({ url: `${site.url}/` });
    cause(fault);
    await useSession(running, `${site.url}/`);
    await expect
      .poll(async () => readAnswer<SessionView>(await running.ask("GET", `/control/sessions/${session_id}`)), {
        timeout: 100_000,
      })
      .toMatchObject({ state: "ended", end_reason: "browser-crashed" });
  });

  test("does not keep a session from being created that has begun in it", async () => {
    await using site = await startSite(page);
    await using running = await startTestService();
    const creations = [1, 2, 3].map(() => useSession(running, `${site.url}/`));
    cause(fault);
    expect(await Promise.all(creations)).toEqual([works, works, works]);
  });
});

test("a spare browser that is killed is not used", async () => {
  await using site = await startSite(page);
  await using running = await startTestService({ sessionsPerBrowser: 4 });
  const { session_id } = await running.open({ url: `${site.url}/` });
  const first = listOwnBrowsers();
  for (const _ of [1, 2]) await running.open();
  await expect.poll(() => listOwnBrowsers().length).toBeGreaterThan(1);
  const spare = listOwnBrowsers().filter((pid) => !first.includes(pid));
  for (const pid of spare) process.kill(pid, "SIGKILL");
  const all = await Promise.all([1, 2, 3].map(() => useSession(running, `${site.url}/`)));
  expect(all).toEqual([works, works, works]);
  expect(await readAnswer<SessionView>(await running.ask("GET", `/control/sessions/${session_id}`))).toMatchObject({
    state: "active",
  });
});
