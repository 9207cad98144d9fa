import { once } from "node:events";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import type { FileView } from "../../src/control/file-view.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { key } from "../command-line.ts";
import { readAnswer } from "../running-service.ts";

/** What a client asked for, and what came: a status, or why nothing came. */
export interface Asked {
  readonly what: string;
  readonly status: number | string;
  readonly text: string;
}

/** How long a client waits for an answer, in milliseconds: longer than the service takes to give anything up. */
const patienceMs = 75_000;

/** How long it reads the events of a run: those of one whose end can't be stored go on for a minute. In milliseconds. */
const runMs = 10_000;

/** Starts the site of the lives. Its page needs a name to be looked up, and a connection to be tunnelled, before it is there. */
export function startLifeSite(): Promise<Site> {
  return startSite({
    "/": (request, response) => {
      const own = request.headers.host ?? "";
      response.setHeader("content-type", "text/html");
      response.end(
        `<title>Harbour</title><h1>Ferries</h1><script src="https://${own}/"></script><script src="http://faults.invalid/"></script>`,
      );
    },
  });
}

/** A client of a service, which notes what it asks for. */
class Client {
  readonly answers: Asked[] = [];
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Asks; resolves with the answer when that is a good one, which has been read to its end. */
  async ask<Answer>(
    method: string,
    path: string,
    body?: unknown,
    as = key,
    ms = patienceMs,
  ): Promise<Answer | undefined> {
    const what = `${method} ${path
      .replaceAll(/[\da-f-]{36}/gu, ":id")
      .replace(/\?.*/u, "")
      .replace(/key-\w+$/u, ":name")}`;
    try {
      const response = await fetch(new URL(path, this.#url), {
        method,
        headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
        signal: AbortSignal.timeout(ms),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const copy = response.clone();
      const text = await response.text();
      this.answers.push({ what, status: response.status, text: response.ok ? "" : text });
      const isJson = response.headers.get("content-type")?.includes("json") ?? false;
      return response.ok && isJson ? await readAnswer<Answer>(copy) : undefined;
    } catch (error) {
      this.answers.push({ what, status: error instanceof Error ? error.message : "failed", text: "" });
      return undefined;
    }
  }
}

/** Asks a service for all that clients ask for: a session with its operations, its replay, a run, keys, lists and health. */
export async function liveThrough(url: string, page: string): Promise<readonly Asked[]> {
  const client = new Client(url);
  const query = `Open ${page}, extract the heading`;
  const run = client.ask("POST", "/api/automation/start", { query }, key, runMs);
  await liveSession(client, page);
  await run;
  const runs = await client.ask<{ runs: readonly { thread_id: string }[] }>("GET", "/control/runs?state=ended");
  const [last] = runs?.runs ?? [];
  if (last) await client.ask("GET", `/control/runs/${last.thread_id}/events`, undefined, key, runMs);
  const all = await client.ask<{ functions: readonly { function_id: string }[] }>("GET", "/control/functions");
  const [record] = all?.functions ?? [];
  if (record) await client.ask("GET", `/control/functions/${record.function_id}`);
  const name = `key-${Math.random().toString(36).slice(2)}`;
  const issued = await client.ask<{ key: string }>("POST", "/control/keys", { name });
  if (issued) {
    await client.ask("GET", "/control/sessions", undefined, issued.key);
    await client.ask("DELETE", `/control/keys/${name}`);
  }
  for (const path of ["/control/sessions", "/control/keys", "/health", "/metrics"]) await client.ask("GET", path);
  return client.answers;
}

/** Asks for a session alone. */
export async function liveShortly(url: string, page: string): Promise<readonly Asked[]> {
  const client = new Client(url);
  await liveSession(client, page);
  return client.answers;
}

async function liveSession(client: Client, page: string): Promise<void> {
  const opened = await client.ask<SessionView>("POST", "/control/sessions", { url: page });
  if (!opened) return;
  const { session_id: id } = opened;
  await client.ask("POST", `/sessions/${id}/page/scrape`, {});
  await client.ask("GET", `/sessions/${id}/cookies`);
  const files = `/control/sessions/${id}/files`;
  const file = await client.ask<FileView>("POST", `${files}?name=a.txt`, "text");
  await client.ask("GET", files);
  await client.ask("DELETE", `/control/sessions/${id}`);
  if (file) await client.ask("GET", `${files}/${file.file_id}`);
  const replay = await client.ask<{ mp4_url: string }>("GET", `/sessions/${id}/replay`);
  if (replay) await client.ask("GET", replay.mp4_url);
  await client.ask("GET", `/control/sessions/${id}`);
  await client.ask("GET", `/control/sessions/${id}/timeline`);
}

/** Lines of a log that are none: what a library or the runtime writes by itself. */
export function notLines(stderr: string): readonly string[] {
  return stderr.split("\n").filter((line) => line !== "" && !isLine(line));
}

function isLine(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** Ends a process by a signal; resolves with its code. */
export async function endedBy(
  child: NodeJS.EventEmitter & { kill(signal: NodeJS.Signals): boolean },
): Promise<unknown> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = await exited;
  return code;
}
