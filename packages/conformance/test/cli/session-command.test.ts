import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endWithCommand, openWithCommand } from "../../src/site/session-command.ts";
import { ownFolder } from "./own-folder.ts";

const url = "http://127.0.0.1:8080/0a1b/article";
const folder = ownFolder();

describe("the id of a session", () => {
  const rows: readonly (readonly [given: string, command: string, want: string])[] = [
    ["what is printed", "echo session-1 # {url}", "session-1"],
    ["the last line that is not blank", "printf 'starting {url}\\nready\\n  session-2  \\n\\n'", "session-2"],
    ["printed without a line end", "printf session-3 # {url}", "session-3"],
    [
      "made from the address, in quotes of both kinds",
      `printf '%s' '{"url":"{url}"}'" {url}"`,
      `{"url":"${url}"} ${url}`,
    ],
    ["made from the variable with the address", 'echo "$CONFORMANCE_URL" | tr a-z A-Z', url.toUpperCase()],
    ["told beside noise on the other output", "echo noise >&2; echo session-4 # {url}", "session-4"],
    ["told before something goes on in the background", "sleep 600 & echo session-5 # {url}", "session-5"],
  ];

  test.for(rows)("is %s", async ([, command, want]) => {
    expect(await openWithCommand(command, url)).toBe(want);
  });
});

/** Returns whether there is a process with that id. */
function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

describe("a command that can't be used", () => {
  const rows: readonly (readonly [given: string, command: string, want: string])[] = [
    ["fails and says why", "echo first >&2; echo 'no room left' >&2; exit 7", "ended with exit code 7: no room left"],
    ["fails without a word", "exit 1", "ended with exit code 1"],
    ["is not there", "there-is-no-such-command {url}", "ended with exit code 127"],
    ["prints nothing", "true", "printed no session id"],
    ["prints blank lines", "printf '\\n \\n'", "printed no session id"],
    ["prints a novel", "printf 'x%.0s' $(seq 300)", "printed a last line"],
    ["takes too long", "sleep 30", "took longer than 0.3 s"],
  ];

  test.for(rows)("%s", async ([, command, want]) => {
    const message = expect.stringContaining(`the command of --session-command ${want}`);
    const opening = openWithCommand(command, url, { timeoutMs: command.startsWith("sleep") ? 300 : 60_000 });
    await expect(opening).rejects.toMatchObject({ code: "session-failed", message });
  });

  test("and takes too long is ended, with all that it has started", async () => {
    const file = join(folder.path, "started");
    const command = `sleep 600 & echo $! > ${file}; sleep 600`;
    await expect(openWithCommand(command, url, { timeoutMs: 2_000 })).rejects.toThrow("took longer");
    const started = Number(readFileSync(file, "utf8"));
    expect(started).toBeGreaterThan(1);
    await expect.poll(() => isRunning(started)).toBe(false);
  });

  test("is ended with the run", async () => {
    const stop = new AbortController();
    const opening = openWithCommand("sleep 30", url, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(opening).rejects.toThrow("was interrupted");
  });

  test("and prints without an end is bounded", async () => {
    await expect(openWithCommand("yes", url, { timeoutMs: 500 })).rejects.toThrow("took longer");
  });
});

describe("the end of a session", () => {
  test("is given the id, in the command and in a variable", async () => {
    const file = join(folder.path, "ended");
    await endWithCommand(`echo {id} "$CONFORMANCE_SESSION_ID" > '${file}'`, "9f6e1c52-7a0b");
    expect(readFileSync(file, "utf8")).toBe("9f6e1c52-7a0b 9f6e1c52-7a0b\n");
  });

  test("is refused for an id that a shell could read as more than an id", async () => {
    const file = join(folder.path, "injected");
    const id = `x; touch '${file}'`;
    await expect(endWithCommand("true {id}", id)).rejects.toThrow("$CONFORMANCE_SESSION_ID");
    await endWithCommand('true "$CONFORMANCE_SESSION_ID"', id);
    expect(existsSync(file)).toBe(false);
  });

  test("that fails is an error", async () => {
    await expect(endWithCommand("echo gone >&2; exit 4", "x")).rejects.toMatchObject({
      message: "the command of --end-session-command ended with exit code 4: gone",
    });
  });
});
