import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { ask, key, startCommand, type Command, type Ended, type Served } from "../command-line.ts";
import { readAnswer } from "../running-service.ts";

/** Longer than anything takes on a machine that has much else to do, in milliseconds. */
export const patience = { timeout: 240_000, interval: 50 };

/** Runs a command as an operator does, to its end. */
export function command(...args: readonly string[]): Promise<Ended> {
  return startCommand(args).ended;
}

/** Sends a request to a service, with a key of any kind, and returns the answer as it is. */
export function send(
  { url }: Pick<Served, "url">,
  method: string,
  path: string,
  as = key,
  body?: string,
): Promise<Response> {
  const headers = { authorization: `Bearer ${as}`, "content-type": "application/json" };
  return fetch(new URL(path, url), { method, headers, ...(body === undefined ? {} : { body }) });
}

/** Records a session until it shows a picture, and ends it. Resolves with its id as soon as its replay is there. */
export async function recordSession(service: Served, page: string): Promise<string> {
  const { session_id: id } = await ask<SessionView>(service, "POST", "/control/sessions", { url: page });
  await ask(service, "POST", `/control/sessions/${id}/files?name=note.txt`, "a note");
  await ask(service, "POST", `/sessions/${id}/page/scrape`, {});
  await ask(service, "DELETE", `/control/sessions/${id}`);
  await readReplay(service, id);
  return id;
}

/** Reads the bytes of the replay of a session, once it is there. */
export async function readReplay(service: Served, id: string): Promise<Buffer> {
  const { mp4_url } = await vi.waitFor(
    () => ask<{ mp4_url: string }>(service, "GET", `/sessions/${id}/replay`),
    patience,
  );
  return Buffer.from(await (await fetch(mp4_url)).arrayBuffer());
}

/** What clients of a service read, by who it is: what is the same after a restore. */
export async function readAll(service: Served, id: string): Promise<Readonly<Record<string, unknown>>> {
  const { files } = await ask<{ files: readonly { file_id: string }[] }>(
    service,
    "GET",
    `/control/sessions/${id}/files`,
  );
  const [file] = files;
  const texts = async (path: string): Promise<string> => (await send(service, "GET", path)).text();
  return {
    session: withoutAddresses(await ask<SessionView>(service, "GET", `/control/sessions/${id}`)),
    timeline: await texts(`/control/sessions/${id}/timeline`),
    replay: createHash("sha256")
      .update(await readReplay(service, id))
      .digest("hex"),
    files,
    file: await texts(`/control/sessions/${id}/files/${file?.file_id}`),
    keys: await texts("/control/keys"),
    profiles: await readAnswer(await send(service, "GET", "/control/profiles")),
    profile: await texts("/control/profiles/shop/storage-state"),
    runs: await texts("/control/runs?state=ended"),
    functions: await texts("/control/functions"),
  };
}

function withoutAddresses({ recording, viewer_url: _, ...rest }: SessionView): object {
  return { ...rest, recorded: recording?.state };
}

/** Starts a command, and ends it by a signal once what is in a folder shows that it is at work. */
export async function interrupt(
  args: readonly string[],
  signal: NodeJS.Signals,
  isAtWork: () => boolean,
): Promise<Ended & { readonly signalCode: NodeJS.Signals | null }> {
  const started: Command = startCommand(args);
  await vi.waitUntil(() => isAtWork() || started.process.exitCode !== null, { timeout: 400_000, interval: 1 });
  started.process.kill(signal);
  return { ...(await started.ended), signalCode: started.process.signalCode };
}

/** Paths below a folder that match; none where there is no folder, or one goes while it is read. */
export function findNames(folder: string, pattern: RegExp): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => pattern.test(name));
  } catch {
    return [];
  }
}
