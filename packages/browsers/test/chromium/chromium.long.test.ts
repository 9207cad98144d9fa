import { createServer, type Server } from "node:http";
import { createSocket } from "node:dgram";
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findChromium, type ChromiumBinary } from "../../src/chromium/chromium-binary.ts";
import { startChromium } from "../../src/chromium/chromium-process.ts";
import { browserMemory } from "../../src/chromium/process-memory.ts";
import { SharedBrowser } from "../../src/pool/shared-browser.ts";
import { listProcessesNaming, readFirstLine, startNode } from "@cloud-browser/testing/browser-processes.ts";

const childScript = new URL("browser-child.ts", import.meta.url);

let scratch = "";
let npm: ChromiumBinary;

/** Everything temporary of this file is in a folder of its own, so that what is left over can be seen. */
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "chromium-test-"));
  vi.stubEnv("TMPDIR", scratch);
  npm = await findChromium();
});

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

async function program(name: string, lines: string, mode = 0o755): Promise<string> {
  const path = join(scratch, `${name}.sh`);
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, mode);
  return path;
}

async function listLeftFolders(): Promise<string[]> {
  return (await readdir(scratch)).filter((name) => name.startsWith("cloud-browser-"));
}

test("npm's Chromium is found without a setting, with its own libraries and fonts", async () => {
  expect(npm.origin).toBe("npm");
  expect(Object.keys(npm.env)).toEqual(["LD_LIBRARY_PATH", "FONTCONFIG_FILE"]);
  expect(await readdir(npm.env["LD_LIBRARY_PATH"] ?? "")).toContain("libnss3.so");
  expect(await readFile(npm.env["FONTCONFIG_FILE"] ?? "", "utf8")).toContain('<dir prefix="relative">fonts</dir>');
});

test("a configured Chromium that is not executable is rejected, with advice", async () => {
  const unusable = [join(scratch, "nowhere"), scratch, await program("no-program", "true", 0o644)];
  for (const executable of unusable) {
    await expect(findChromium({ executable })).rejects.toMatchObject({
      code: "browser-missing",
      message: expect.stringContaining("set the path of a Chromium"),
    });
  }
});

test("a cache folder that is not writable is named in the error, with advice", async () => {
  const file = await program("a-file", "true");
  await expect(findChromium({ cacheFolder: join(file, "cache") })).rejects.toMatchObject({
    code: "browser-missing",
    message: expect.stringMatching(/a-file\.sh\/cache.*Set a writable cache folder/su),
  });
});

test("an interrupted unpacking is never used, and two concurrent ones both succeed", async () => {
  const cache = join(scratch, "cache");
  const killed = startNode(childScript, ["unpack", cache]);
  await vi.waitFor(async () => expect(await readdir(cache)).toHaveLength(1), { timeout: 60_000, interval: 10 });
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const [abandoned = ""] = await readdir(cache);
  expect(abandoned).toContain(".part-");
  await utimes(join(cache, abandoned), 0, 0);

  const both = [startNode(childScript, ["unpack", cache]), startNode(childScript, ["unpack", cache])];
  const [one, other] = await Promise.all(both.map(readFirstLine));
  expect(one).toBe(other);
  await Promise.all(both.map(async (child) => child.exitCode ?? once(child, "exit")));
  expect(await readdir(cache)).toEqual([expect.stringMatching(/^chromium-[\d.]+$/u)]);
  expect((await stat(one ?? "")).size).toBe((await stat(npm.executable)).size);
  await rm(cache, { recursive: true });
});

test("missing libraries are named in the error, with advice", async () => {
  const cache = join(scratch, "incomplete");
  const folder = join(cache, basename(dirname(npm.executable)));
  await mkdir(join(folder, "lib"), { recursive: true });
  await symlink(npm.executable, join(folder, "chromium"));
  for (const name of await readdir(npm.env["LD_LIBRARY_PATH"] ?? "")) {
    const library = await readFile(join(npm.env["LD_LIBRARY_PATH"] ?? "", name), "latin1");
    const altered = library.replaceAll("libsqlite3.so.0", "libsqlite9.so.0");
    await writeFile(join(folder, "lib", name), altered, "latin1");
  }
  await expect(findChromium({ cacheFolder: cache })).rejects.toMatchObject({
    code: "browser-missing",
    message: expect.stringMatching(/missing on this machine: libsqlite9\.so\.0\. Install/u),
  });
});

test("a program that exits at once is reported with the last line of its output", async () => {
  const executable = await program("fails", "echo first >&2; echo 'cannot find libsomething.so' >&2; exit 127");
  await expect(startChromium({ binary: { executable, env: {}, origin: "configured" } })).rejects.toMatchObject({
    code: "browser-missing",
    message: expect.stringMatching(/exited while it started \(127\).*cannot find libsomething\.so/u),
  });
  expect(await listLeftFolders()).toEqual([]);
});

test("a program that does not start in time is killed, with its child processes", async () => {
  const seconds = `1234567${process.pid}`;
  const executable = await program("hangs", `sleep ${seconds} & sleep ${seconds}`);
  const binary: ChromiumBinary = { executable, env: {}, origin: "configured" };
  await expect(startChromium({ binary, timeoutMs: 500 })).rejects.toMatchObject({
    code: "browser-missing",
    message: expect.stringContaining("within 0.5 s"),
  });
  await expect.poll(() => listProcessesNaming(seconds)).toEqual([]);
  expect(await listLeftFolders()).toEqual([]);
});

test("starts without a sandbox where it is unavailable, and reports that", async () => {
  const executable = await program(
    "sandboxed",
    `case "$*" in *--no-sandbox*) exec ${npm.executable} "$@";; *) echo '[FATAL:zygote] No usable sandbox! See ...' >&2; echo trace >&2; exit 1;; esac`,
  );
  const chromium = await startChromium({ binary: { ...npm, executable }, sandbox: "on" });
  await chromium.end();
  expect(chromium.sandbox).toEqual({ off: expect.stringContaining("user namespaces") });
});

test("Chromium inherits no environment variables of this process", async () => {
  vi.stubEnv("CLOUD_BROWSER_API_KEY", "a-secret-key");
  const chromium = await startChromium({ binary: npm });
  const environment = await readFile(`/proc/${chromium.pid}/environ`, "utf8");
  await chromium.end();
  vi.unstubAllEnvs();
  expect(environment).toContain("LD_LIBRARY_PATH");
  expect(environment).not.toContain("a-secret-key");
});

test("memory (PSS) is reported for a running process group, and not for an ended one", async () => {
  const chromium = await startChromium({ binary: npm });
  const living = await browserMemory(chromium.pid);
  await chromium.end();
  expect(living?.all).toBeGreaterThan(30_000_000);
  expect(living?.all).toBeLessThan(1_000_000_000);
  expect(await browserMemory(chromium.pid)).toBeUndefined();
});

test("kill -9 of this process leaves no Chromium, not even one that hangs, and no folder", async () => {
  const temporary = join(scratch, "killed");
  await mkdir(temporary);
  const holder = startNode(childScript, ["hold"], { TMPDIR: temporary });
  await readFirstLine(holder);
  expect(listProcessesNaming(temporary).length).toBeGreaterThan(3);
  // A process that is stopped can't end by itself.
  for (const pid of listProcessesNaming(`--user-data-dir=${temporary}`)) process.kill(pid, "SIGSTOP");
  holder.kill("SIGKILL");
  await vi.waitFor(
    async () => {
      expect(listProcessesNaming(temporary)).toEqual([]);
      expect(await readdir(temporary)).toEqual([]);
    },
    { timeout: 60_000, interval: 50 },
  );
});

test("no traffic bypasses the proxy: names, loopback, WebSocket, WebRTC, WebTransport", async () => {
  const past: string[] = [];
  const proxied: string[] = [];
  const target = createServer((request, response) => {
    past.push(String(request.url));
    response.end();
  });
  const proxy = createServer((request, response) => {
    proxied.push(String(request.url));
    response.setHeader("content-type", "text/html").end("<p>by proxy</p>");
  });
  proxy.on("connect", (request, socket) => {
    proxied.push(String(request.url));
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const stun = createSocket("udp4", () => past.push("udp"));
  const [targetPort, proxyPort] = [await listen(target), await listen(proxy)];
  await new Promise<void>((resolve) => stun.bind(0, "127.0.0.1", resolve));
  const browser = await SharedBrowser.start({ binary: npm, proxyServer: `http://127.0.0.1:${proxyPort}` });
  const { context } = await browser.open({});
  const page = await context.newPage();
  await page.goto("http://a-name.test/");
  // A page of localhost is a secure one, which the interfaces below ask for.
  await page.goto(`http://localhost:${targetPort}/page`);
  const candidates = await page.evaluate(
    async ([web, udp]) => {
      await new Promise((resolve) => {
        new WebSocket(`ws://127.0.0.1:${web}/socket`).addEventListener("error", resolve);
      });
      await new WebTransport(`https://127.0.0.1:${udp}/`).ready.catch(() => undefined);
      const connection = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${udp}` }] });
      const candidateLines: string[] = [];
      connection.addEventListener(
        "icecandidate",
        ({ candidate }) => candidate && candidateLines.push(candidate.candidate),
      );
      connection.createDataChannel("any");
      const gathered = new Promise<void>((resolve) => {
        connection.addEventListener("icegatheringstatechange", () => {
          if (connection.iceGatheringState === "complete") resolve();
        });
        setTimeout(resolve, 5000);
      });
      await connection.setLocalDescription(await connection.createOffer());
      await gathered;
      return candidateLines.filter(Boolean);
    },
    [targetPort, stun.address().port] as const,
  );
  await browser.end();
  for (const server of [target, proxy, stun]) server.close();
  expect(candidates).toEqual([]);
  expect(past).toEqual([]);
  expect(proxied).toEqual(["http://a-name.test/", `http://localhost:${targetPort}/page`, `127.0.0.1:${targetPort}`]);
});

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
