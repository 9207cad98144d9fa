import { Ajv2020 } from "ajv/dist/2020.js";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControlSession } from "@cloud-browser/client/control";
import { serveHttp } from "../../../service/test/http-server.ts";
import { startTestService, type TestService } from "../../../service/test/running-service.ts";
import { runHere, startCommand, type CommandResult } from "../run-cli.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let site: Site;
let data: string;
let nowhere: string;

beforeAll(async () => {
  nowhere = await mkdtemp(join(tmpdir(), "cloud-browser-nowhere-"));
  data = await mkdtemp(join(tmpdir(), "cloud-browser-data-"));
  running = await startTestService({ data });
  site = await startSite({
    "/": "<title>Ferries</title><h1>Harbour ferries</h1>",
    "/rude": "<title>Fer\u001b[2J\u202ery\nboat</title>",
    "/language": "<script>document.title = navigator.language + ' ' + innerWidth + 'x' + innerHeight</script>",
  });
});

afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await running?.[Symbol.asyncDispose]();
  for (const folder of [nowhere, data]) await rm(folder, { recursive: true });
});

/** Runs a command against the service, which it finds by its folder. */
async function runCommand(name: string, ...args: readonly string[]): Promise<CommandResult> {
  const result = await runHere([name, "--data", data, ...args]);
  if ((result.stdout + result.stderr).includes(running.service.apiKey)) throw new Error(`${name} tells the key`);
  return result;
}

async function readSession(id: string): Promise<ControlSession> {
  const session: ControlSession = await (await running.ask("GET", `/control/sessions/${id}`)).json();
  return session;
}

const uuidLine = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/;

describe("open", () => {
  test("opens a session on a page, and prints its id and nothing else", async () => {
    const { code, stdout, stderr } = await runCommand("open", `${site.url}/`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(uuidLine);
    expect(await readSession(stdout.trim())).toMatchObject({ state: "active", url: `${site.url}/`, title: "Ferries" });
  });

  test("is told by timeline, as lines, as Markdown and as JSON", async () => {
    const id = (await runCommand("open", `${site.url}/`)).stdout.trim();
    const { code, stdout } = await runCommand("timeline", id);
    expect({ code, lines: stdout.trim().split("\n") }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/^0:\d\d\.\d {2}service {2}opened tab 1$/),
        expect.stringMatching(/^0:\d\d\.\d {2}service {2}went to http:\/\/127\.0\.0\.1:\d+\/$/),
      ],
    });
    expect((await runCommand("timeline", id, "--markdown")).stdout).toMatch(
      /^# Timeline of session [\s\S]*\*\*service\*\*/,
    );
    expect(JSON.parse((await runCommand("timeline", id, "--json")).stdout)).toMatchObject({
      entries: [{ seq: 1 }, { seq: 2 }],
    });
    expect(await runCommand("timeline", id.replace(/^./, "x"))).toMatchObject({ code: 6 });
  });

  test("has a blank page when none is named", async () => {
    const { stdout } = await runCommand("open");
    expect(await readSession(stdout.trim())).toMatchObject({ url: "about:blank" });
  });

  test.each([
    ["ferries.invalid", "https://ferries.invalid"],
    ["ferries.invalid:8443/pier?number=3", "https://ferries.invalid:8443/pier?number=3"],
    ["localhost:1/", "http://localhost:1/"],
    ["127.0.0.1:1", "http://127.0.0.1:1"],
    ["[::1]:1", "http://[::1]:1"],
    ["HTTP://ferries.invalid/", "HTTP://ferries.invalid/"],
    ["javascript:a.b", "javascript:a.b"],
    ["ferries", "ferries"],
  ])("reads %s as %s", async (typed, url) => {
    const bodies: string[] = [];
    await using server = await serveHttp(async (message, response) => {
      bodies.push(await text(message));
      response.writeHead(503).end();
    });
    await runHere(["open", typed, "--base-url", server.url], { CLOUD_BROWSER_API_KEY: "some-key" });
    expect(bodies).toEqual([JSON.stringify({ url })]);
  });

  test("does so as a program, too", async () => {
    const { code, stdout, stderr } = await startCommand(["open", `${site.url}/`, "--data", data]).end;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(uuidLine);
  });

  test("prints the session as JSON, with the requested page", async () => {
    const page = ["--viewport", "640x480", "--locale", "de-CH", "--idle-limit", "60", "--total-limit", "90"];
    const { code, stdout } = await runCommand("open", `${site.url}/language`, ...page, "--json");
    expect(code).toBe(0);
    const session: ControlSession = JSON.parse(stdout);
    expect(session).toMatchObject({ state: "active", title: "de-CH 640x480" });
    expect(session.cdp_url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/control\/sessions\/.+\?token=.+/);
  });

  test.each([
    ["a file", "file:///etc/passwd", "file:"],
    ["an address of a cloud's machine", "http://169.254.169.254/", "169.254.169.254"],
    ["no address", "ferries", "uri"],
  ])("says why %s is not opened", async (_, url, word) => {
    const { code, stdout, stderr } = await runCommand("open", url);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^cloud-browser: .+ \(HTTP 422\)\n$/);
    expect(stderr).toContain(word);
  });
});

describe("ls and end", () => {
  test("list sessions, and end them", async () => {
    const [first, second] = await Promise.all([
      running.open({ url: `${site.url}/` }),
      running.open({ url: `${site.url}/rude` }),
    ]);
    const list = async (): Promise<string> => {
      const { code, stdout, stderr } = await runCommand("ls");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout;
    };
    // A page that does not answer within a second is listed without its title.
    await expect
      .poll(list)
      .toMatch(new RegExp(`^${first.session_id}  active +(?:\\d+ m )?\\d+ s  ${site.url}/ Ferries$`, "m"));
    // A page chooses its title: it moves no cursor, turns no text around, and begins no line.
    await expect
      .poll(list)
      .toMatch(
        new RegExp(`^${second.session_id}  active +(?:\\d+ m )?\\d+ s  ${site.url}/rude Fer ?\\[2J ?ry boat$`, "m"),
      );

    const end = await runCommand("end", first.session_id, second.session_id);
    expect(end).toEqual({ code: 0, stdout: "", stderr: "" });
    const { code, stdout } = await runCommand("ls", "--json");
    expect(code).toBe(0);
    const sessions: ControlSession[] = JSON.parse(stdout);
    for (const { session_id } of [first, second]) {
      expect(sessions.find((one) => one.session_id === session_id)).toMatchObject({
        state: "ended",
        end_reason: "requested",
        cdp_url: null,
      });
    }
    const after = await runCommand("ls");
    expect(after.stdout).toMatch(new RegExp(`^${first.session_id}  ended \\(requested\\) `, "m"));
  });

  test("say that there are none", async () => {
    const own = join(nowhere, "own");
    const empty = await startTestService({ data: own });
    const { code, stdout } = await runHere(["ls", "--data", own]);
    await empty.service.close();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "No sessions. Open one with: cloud-browser open URL\n",
    });
  });

  test.each(["no-such-session", "x/../y", "../../health", "%00", "'; DROP TABLE sessions; --"])(
    "say that there is no session %s",
    async (id) => {
      const { code, stdout, stderr } = await runCommand("end", "--", id);
      expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
      expect(stderr).toMatch(/^cloud-browser: .*there is .+\(HTTP 404\)\n$/);
    },
  );
});

test("end ends those that there are, and says which there are not", async () => {
  const { session_id: id } = await running.open();
  const { code, stdout, stderr } = await runCommand("end", "nope", id, "nor-this");
  expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
  expect(stderr).toMatch(/^cloud-browser: nope: there is .+\(HTTP 404\)\nnor-this: there is .+\n$/);
  expect(await readSession(id)).toMatchObject({ state: "ended" });
});

test("end --all ends every open session of the key, and says how many", async () => {
  const ids = [(await running.open()).session_id, (await running.open()).session_id];
  const { code, stdout, stderr } = await runCommand("end", "--all");
  expect([code, stderr, stdout]).toEqual([0, "", expect.stringMatching(/^\d+ ended\.\n$/)]);
  for (const id of ids) expect(await readSession(id)).toMatchObject({ state: "ended", end_reason: "requested" });
});

describe("usage errors are explained in a sentence, with exit code 2:", () => {
  const key = { CLOUD_BROWSER_API_KEY: "some-key" };
  const cases: readonly [string, readonly string[], Record<string, string>, RegExp][] = [
    ["an unknown command", ["close", "x"], {}, /unknown command 'close'/],
    ["an unknown flag", ["ls", "--all"], {}, /unknown option '--all'/],
    ["a session that is not named", ["end"], {}, /name the sessions to end, or give --all/],
    ["sessions that are named beside all", ["end", "x", "--all"], {}, /name the sessions to end, or give --all/],
    ["too much", ["open", "http://a", "http://b"], {}, /too many arguments/],
    ["half a viewport", ["open", "--viewport", "640"], {}, /Give width and height, such as 1280x720/],
    ["no time at all", ["open", "--idle-limit", "0"], {}, /seconds from 1 to 86400/],
    ["a time that is none", ["open", "--total-limit", "soon"], {}, /seconds from 1 to 86400/],
    [
      "a folder where no service runs",
      ["ls"],
      {},
      /no base URL: .+ is started with: npx @cloud-browser\/service serve \(none runs with the folder \S+\)/,
    ],
    ["an address that is none", ["ls", "--base-url", "nowhere"], key, /--base-url must be a URL such as https/],
    [
      "an address with credentials",
      ["ls", "--base-url", "https://a:some-key@a"],
      key,
      /--base-url must have no user name, password/,
    ],
    [
      "a key of two words",
      ["ls", "--base-url", "http://a"],
      { CLOUD_BROWSER_API_KEY: "a some-key" },
      /malformed API key/,
    ],
  ];
  test.each(cases)("%s", async (_, args, env, expected) => {
    const { code, stdout, stderr } = await runHere(args, { CLOUD_BROWSER_DATA: nowhere, ...env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
    expect(stderr).not.toMatch(/some-key|\bat .+:\d+:\d+/);
  });

  test.each([
    [
      "an address where no service is",
      ["--base-url", "http://127.0.0.1:49151"],
      3,
      /connection refused: is the service running there/,
    ],
    ["a host that is not there", ["--base-url", "https://none.invalid"], 3, /host name not found/],
    ["a machine elsewhere without https", ["--base-url", "http://none.invalid"], 2, /--allow-insecure-http allows it/],
  ])("%s", async (_, args, code, expected) => {
    const result = await runHere(["ls", ...args], { CLOUD_BROWSER_DATA: nowhere, ...key });
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toMatch(expected);
  });

  test("a server whose key is not known", async () => {
    const { code, stderr } = await runHere(["ls", "--base-url", "http://127.0.0.1:9"], { CLOUD_BROWSER_DATA: nowhere });
    expect([code, stderr]).toEqual([5, expect.stringContaining("set CLOUD_BROWSER_API_KEY")]);
  });

  test("https where http is spoken", async () => {
    const { host } = new URL(running.service.url);
    const env = { CLOUD_BROWSER_DATA: nowhere, ...key };
    const { code, stderr } = await runHere(["ls", "--base-url", `https://${host}`], env);
    expect(code).toBe(3);
    expect(stderr).toContain("TLS handshake failed: is it a server for https?");
  });

  test("a wrong key", async () => {
    const env = { CLOUD_BROWSER_API_KEY: "wrong-key" };
    const { code, stderr } = await runHere(["ls", "--data", data], env);
    expect(code).toBe(5);
    expect(stderr).toMatch(/^cloud-browser: the API key is missing or invalid.* \(HTTP 401\)\n$/);
    expect(stderr).not.toContain("wrong-key");
  });

  test("a folder that is not there, which is not made", async () => {
    const missing = join(nowhere, "missing");
    const { code, stderr } = await runHere(["ls", "--data", missing]);
    expect(code).toBe(2);
    expect(stderr).toContain("none runs with the folder ");
    expect(existsSync(missing)).toBe(false);
  });
});

describe("doctor", () => {
  test("finds nothing wrong with a service that runs here, and prints what its schema describes", async () => {
    const { code, stdout, stderr } = await runCommand("doctor", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { findings }: { findings: { name: string; status: string }[] } = JSON.parse(stdout);
    expect(findings.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["base URL", "/control", "browser", "encoder"]),
    );
    const schema: object = JSON.parse((await runHere(["doctor", "--json-schema"])).stdout);
    expect(new Ajv2020({ strict: false }).compile(schema)(JSON.parse(stdout))).toBe(true);
  });

  test("says what is missing, and what to do, and fails for what does not work only", async () => {
    const bare = await runHere(["doctor", "--base-url", site.url], { CLOUD_BROWSER_API_KEY: "some-key" });
    expect(bare).toMatchObject({ code: 0, stdout: expect.stringMatching(/– \/control +\S+ has no \/control/) });
    const none = await runHere(["doctor"], { CLOUD_BROWSER_DATA: nowhere });
    expect(none.stdout).toMatch(/– base URL +none, and no service runs here\n.+CLOUD_BROWSER_BASE_URL/);
    const unreachable = await runHere(["doctor", "--base-url", "http://127.0.0.1:49151"], {
      CLOUD_BROWSER_API_KEY: "some-key",
    });
    expect(unreachable).toMatchObject({ code: 3, stdout: expect.stringMatching(/✗ base URL +.+connection refused/) });
    const wrong = await runCommand("doctor", "--base-url", running.service.url);
    expect(wrong.code).toBe(0);
    const refusal = await runHere(["doctor", "--data", data], { CLOUD_BROWSER_API_KEY: "wrong-key" });
    expect(refusal).toMatchObject({ code: 3, stdout: expect.stringMatching(/✗ API key/) });
    expect(JSON.stringify([bare, unreachable, refusal])).not.toMatch(/some-key|wrong-key/);
  });
});
