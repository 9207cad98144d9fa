// agent-browser: a command line, one process for each command.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { has, http, isFile, run, same, site, file, folder, until, ws } from "./steps.mjs";

const path = fileURLToPath(new URL("../node_modules/agent-browser/bin/agent-browser.js", import.meta.url));
const env = { ...process.env, HOME: folder, AGENT_BROWSER_SOCKET_DIR: folder };
async function call(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [path, "--session", "one", ...args], {
    env,
    cwd: folder,
  }).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  return stdout.trim();
}

const steps = {
  connect: async () => call("connect", ws),
  "by http": async () => call("--session", "two", "connect", http),
  navigate: async () => {
    await call("open", site);
    same(await call("get", "title"), "Start");
  },
  "click, fill": async () => {
    await call("fill", "#name", "Ada");
    await call("click", "button");
    same(await call("get", "title"), "Hello Ada");
  },
  evaluate: async () => same(await call("eval", "1 + 1"), "2"),
  screenshot: async () => {
    await call("screenshot", join(folder, "page.png"));
    isFile(await readFile(join(folder, "page.png")), "PNG");
  },
  cookies: async () => {
    await call("cookies", "set", "mine", "1");
    has(await call("cookies"), "mine");
  },
  PDF: async () => {
    await call("pdf", join(folder, "page.pdf"));
    isFile(await readFile(join(folder, "page.pdf")), "%PDF");
  },
  emulate: async () => {
    await call("set", "viewport", "400", "700");
    await call("set", "media", "dark");
    has(await call("eval", "`${innerWidth} ${matchMedia('(prefers-color-scheme: dark)').matches}`"), "400 true");
  },
  upload: async () => {
    await call("upload", "#file", file);
    await until(async () => (await call("get", "title")) === "File brought along");
  },
  download: async () => call("download", "#save", join(folder, "saved")),
  trace: async () => {
    await call("trace", "start");
    await call("open", `${site}/?traced`);
    await call("trace", "stop", join(folder, "trace.json"));
    has(await readFile(join(folder, "trace.json"), "utf8"), "mark of ?traced");
  },
  "new tab": async () => {
    await call("tab", "new", `${site}/second`);
    await until(async () => (await call("get", "title")) === "Second");
  },
};

// Each session has a process of its own, which stays.
await run(steps, () => call("close", "--all"));
