// What every program shares: where things are, and how it tells what worked.
import { setTimeout as delay } from "node:timers/promises";

/** Address of the session as a WebSocket, and as one of http. */
export const { CDP_URL: ws, SITE: site, FILE: file, FOLDER: folder, CLIENT: name } = process.env;
export const http = ws.replace(/^ws/, "http");

/** How long one step may take, in milliseconds. */
const patienceMs = 120_000;

/**
 * Does steps in their order, each whether or not one before failed, and prints a line of JSON for each. Without a connection the others
 * are not tried.
 *
 * @param {Record<string, () => Promise<unknown>>} steps What each step does; it throws when that does not work.
 * @param {() => Promise<unknown>} end Ends what the steps started beyond this process. Default: nothing.
 */
export async function run(steps, end = async () => {}) {
  for (const [step, work] of Object.entries(steps)) {
    const why = await attempt(work);
    console.log(JSON.stringify({ step, why }));
    if (why !== null && step === "connect") break;
  }
  await attempt(end);
  process.exit(0);
}

async function attempt(work) {
  const late = new AbortController();
  try {
    await Promise.race([
      work(),
      delay(patienceMs, undefined, late).then(() => {
        throw new Error(`it took more than ${patienceMs / 1000} s`);
      }),
    ]);
    return null;
  } catch (error) {
    return String(error?.message ?? error);
  } finally {
    late.abort();
  }
}

/**
 * Waits until the session has kept the download of the site.
 *
 * @param {string} [id] Which one: its id, which clients are told as the name of the file. Default: any.
 */
export async function isKept(id) {
  const { FILES: files, KEY: key } = process.env;
  await until(async () => {
    const response = await fetch(files, { headers: { authorization: `Bearer ${key}` } });
    const { files: all } = await response.json();
    return all.some(
      ({ file_id, name: its, state, size }) =>
        (id === undefined || id === file_id) && its === "file.bin" && state === "complete" && size === 7,
    );
  });
}

/** Throws unless two things are the same. */
export function same(actual, expected) {
  if (actual !== expected) throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

/** Throws unless a text has a part. */
export function has(text, part) {
  if (!String(text).includes(part))
    throw new Error(`expected ${JSON.stringify(part)} in ${String(text).slice(0, 500)}`);
}

/** Throws unless bytes begin like a PDF or a picture. */
export function isFile(bytes, begin) {
  const head = Buffer.from(bytes).subarray(0, 8).toString("latin1");
  if (!head.includes(begin)) throw new Error(`expected a file that begins with ${begin}, got ${JSON.stringify(head)}`);
}

/** Waits until something is so. */
export async function until(isSo) {
  while (!(await isSo())) await delay(100);
}
