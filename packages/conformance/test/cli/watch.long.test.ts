import { spawn, type ChildProcess } from "node:child_process";
import { renameSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { program } from "./command.ts";
import { compileCache } from "./compile-cache.ts";
import { key, ownFolder } from "./own-folder.ts";
import { listen } from "../listen.ts";
import { sessionId, startServer, withCookies, type TestServer } from "../server.ts";

const folder = ownFolder();
let conforming: TestServer;
let faulty: TestServer;
beforeAll(async () => {
  conforming = await startServer();
  faulty = await startServer(withCookies({ cookies: 7 }));
});
afterAll(async () => {
  await conforming[Symbol.asyncDispose]();
  await faulty[Symbol.asyncDispose]();
});

/** A server that hands every request on to another one. */
function startFront({ url }: TestServer): Server {
  return createServer((incoming, answer) => {
    const onward = request(url + incoming.url, { method: incoming.method, headers: incoming.headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(onward);
  });
}

/** The program on a terminal of its own, which the command `script` makes. */
class Terminal {
  readonly #child: ChildProcess;
  #output = "";
  #awaited: { readonly text: RegExp; readonly resolve: () => void } | undefined;
  readonly ended: Promise<number | null>;

  constructor(args: readonly string[]) {
    const command = `exec ${[...program, ...args].map((word) => `'${word}'`).join(" ")}`;
    const env = { PATH: process.env["PATH"], SHELL: "/bin/sh", NO_COLOR: "1", ...key, ...compileCache };
    this.#child = spawn("script", ["-qefc", command, "/dev/null"], { cwd: folder.path, env });
    this.#child.stdout?.on("data", (piece: Buffer) => {
      this.#output += piece.toString();
      if (this.#awaited?.text.test(this.#output)) this.#awaited.resolve();
    });
    this.ended = new Promise((resolve) => this.#child.once("close", resolve));
  }

  /** Waits for a text, and gives what was shown up to then since the wait before. */
  async until(text: RegExp): Promise<string> {
    if (!text.test(this.#output)) await new Promise<void>((resolve) => (this.#awaited = { text, resolve }));
    const output = this.#output;
    this.#output = "";
    return output;
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  stop(): void {
    this.#child.kill();
  }
}

let terminal: Terminal | undefined;
afterEach(() => terminal?.stop());

/** Puts a configuration there at once, as editors do. */
function configure(text: string): void {
  renameSync(folder.write("next", text), join(folder.path, "conformance.config.yaml"));
}

const isWaiting = /Watching\. Press Enter to run again, Ctrl-C to stop\./;

test("a target is judged again when it restarts, a file changes, or Enter is pressed, and Ctrl-C ends with the last code", async () => {
  const first = startFront(conforming);
  const address = await listen(first);
  configure('profile: full\nonly: ["cookies/{cookies-type,status-200}", "automation/status-200"]');
  terminal = new Terminal(["run", "--watch", "--base-url", address, "--session-id", sessionId, "--report", "json"]);
  const begin = await terminal.until(isWaiting);
  expect(begin).toContain("Conforming: all 2 stated checks");
  expect(begin).toContain("Profile: free, starts no billed run");

  first.closeAllConnections();
  await new Promise((resolve) => first.close(resolve));
  await terminal.until(/The target is down\./);
  const second = startFront(faulty).listen(Number(new URL(address).port), "127.0.0.1");
  const restarted = await terminal.until(isWaiting);
  expect(restarted).toContain("Once more: the target answers again.");
  expect(restarted).toMatch(/newly failing \(1\)\s+cookies\/cookies-type \(cookies\.body\)/);

  configure('only: ["cookies/cookies-type"]');
  const changed = await terminal.until(isWaiting);
  expect(changed).toContain("Once more: conformance.config.yaml has changed.");
  expect(changed).toMatch(/no longer judged \(1\): cookies\/status-200\s+1 failing as before/);

  configure("only: 7");
  expect(await terminal.until(isWaiting)).toContain('"only" must be');
  configure('only: ["cookies/cookies-type"]');
  await terminal.until(isWaiting);

  terminal.type("\r");
  expect(await terminal.until(isWaiting)).toContain("Once more: Enter was pressed.");
  terminal.type("\u0003");
  expect(await terminal.ended).toBe(1);
  second.closeAllConnections();
  second.close();
});

test.for<[string, string[], string]>([
  ["the mock", [], "--watch needs a live target"],
  ["a path that is not there", ["--watch", "nowhere"], "path to watch does not exist: nowhere"],
  ["known failures that would be rewritten", ["--update-expected-failures"], "can't be combined"],
])("it is refused for %s", async ([, args, message]) => {
  configure("seed: 1");
  terminal = new Terminal(["run", "--watch", ...args]);
  const output = await terminal.until(/conformance: [^]*\n/);
  expect(await terminal.ended).toBe(2);
  expect(output).toContain(message);
});
