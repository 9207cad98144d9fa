/** How commands fail: one exit code for each kind, and a sentence. */
import { createServer } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import { answerEvents, answerJson, answerText, startFake, type Answer } from "./fake-service.ts";
import { runCli, runHere, type CommandResult } from "./run-cli.ts";

const id = "0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b";
const nowhere = { HOME: "/nowhere", XDG_DATA_HOME: "" };

/** Runs a command against a server that answers so. */
async function runAgainst(answers: Record<string, Answer>, args: readonly string[]): Promise<CommandResult> {
  await using service = await startFake(answers);
  return await runHere(args, {
    ...nowhere,
    CLOUD_BROWSER_BASE_URL: service.url,
    CLOUD_BROWSER_API_KEY: "sk-secret-of-the-test",
  });
}

const described = { "GET /control/openapi.json": answerJson({ paths: {} }) };

test.each<[what: string, answers: Record<string, Answer>, args: string[], code: number, words: RegExp]>([
  ["a server without /control", {}, ["ls"], 4, /has no \/control: it speaks the interface only/],
  ["opening a session there", {}, ["open", "https://a.example"], 4, /has no \/control/],
  ["following a run there", {}, ["runs", "follow", id], 4, /has no \/control/],
  ["a wrong key", { "GET /control/sessions": answerJson({ detail: "the API key is missing or invalid" }, 401) }, ["ls"], 5, /^cloud-browser: the API key is missing or invalid \(HTTP 401\)$/m],
  ["a key without a role", { "GET /control/keys": answerJson({ detail: "the API key lacks the role control" }, 403) }, ["keys"], 5, /lacks the role control/],
  ["nothing of that name", { ...described, [`GET /control/runs/${id}`]: answerJson({ detail: "there is no such run" }, 404) }, ["runs", "show", id], 6, /^cloud-browser: there is no such run \(HTTP 404\)$/m],
  ["what was deleted", { ...described, [`GET /control/sessions/${id}/timeline`]: answerJson({ detail: "it was deleted" }, 410) }, ["timeline", id], 6, /it was deleted \(HTTP 410\)/],
  ["an invalid request", { "POST /control/sessions": answerJson({ detail: [{ loc: ["body", "url"], msg: "not an address", type: "t" }] }, 422) }, ["open", "x"], 2, /body\.url: not an address \(HTTP 422\)/],
  ["a full service", { "POST /control/sessions": answerJson({ detail: "session limit (1) reached" }, 429) }, ["open"], 3, /session limit \(1\) reached \(HTTP 429\)/],
  ["an interface that refuses", { [`GET /sessions/${id}/cookies`]: answerJson({ detail: "x" }, 404) }, ["cookies", id], 6, /answered with 404/],
  ["a run that fails", { "POST /api/automation/start": answerEvents([{ type: "error", error: "step_failed", detail: "no button\u001b[2J" }]) }, ["automate", "x"], 1, /^cloud-browser: no button\[2J \(step_failed\)$/m],
  ["a run that takes too long", { "POST /api/automation/start": answerEvents([{ type: "timeout", reason: "deadline", detail: "it took too long" }]) }, ["automate", "x"], 7, /it took too long/],
  ["a run that is cancelled", { "POST /api/automation/start": answerEvents([{ type: "cancelled", reason: "requested" }]) }, ["automate", "x"], 8, /the run was cancelled \(requested\)/],
  ["events that break off", { "POST /api/automation/start": answerEvents([{ type: "text_delta", delta: "x" }]) }, ["automate", "x"], 9, /broke off \(.+\); it may still be active/],
  ["a page in place of events", { "POST /api/automation/start": answerText("<html></html>", "text/html") }, ["automate", "x"], 3, /did not answer with an event stream/],
  ["an automation that is not there", {}, ["automate", "x"], 6, /--automation-word sets the word in this path/],
])("%s", async (_, answers, args, code, words) => {
  const result = await runAgainst(answers, [...args, "--no-input"]);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: "" });
  expect(result.stderr).toMatch(words);
  expect(result.stderr).not.toMatch(/sk-secret|\bat .+:\d+:\d+/);
}); // prettier-ignore

test.each<[what: string, args: string[], env: Record<string, string>, code: number, words: RegExp]>([
  ["no server", ["ls"], {}, 2, /no base URL: give --base-url/],
  ["no key", ["ls", "--base-url", "https://a.example"], {}, 5, /no API key for this base URL: set CLOUD_BROWSER_API_KEY/],
  ["an empty key", ["ls", "--base-url", "https://a.example"], { CLOUD_BROWSER_API_KEY: " " }, 2, /must not be empty/],
  ["an empty variable", ["ls"], { CLOUD_BROWSER_BASE_URL: "" }, 2, /CLOUD_BROWSER_BASE_URL must not be empty/],
  ["an empty flag", ["ls", "--base-url", ""], {}, 2, /--base-url must not be empty/],
  ["an address without https", ["ls", "--base-url", "http://a.example"], { CLOUD_BROWSER_API_KEY: "k" }, 2, /--base-url must begin with https.+--allow-insecure-http allows it/],
  ["a word that is none", ["ls", "--base-url", "https://a.example", "--automation-word", "a/b"], { CLOUD_BROWSER_API_KEY: "k" }, 2, /--automation-word and --service-word must be letters/],
  ["a flag that is none", ["ls", "--all"], {}, 2, /unknown option '--all'/],
  ["a command that is none", ["list"], {}, 2, /unknown command 'list'/],
  ["no command", [], {}, 2, /^Usage: cloud-browser/],
  ["an argument too many", ["scrape", "a", "b"], {}, 2, /too many arguments/],
  ["an argument too few", ["scrape"], {}, 2, /missing required argument 'session_id'/],
  ["a file that is not there", ["automate", "x", "--file", "/nowhere/cv.pdf", "--base-url", "https://a.example"], { CLOUD_BROWSER_API_KEY: "k" }, 2, /^cloud-browser: \/nowhere\/cv\.pdf could not be read \(.+\)$/m],
  ["two files of a name", ["run", id, ...["LICENSE", "../../LICENSE"].flatMap((path) => ["--file", path]), "--base-url", "https://a.example"], { CLOUD_BROWSER_API_KEY: "k" }, 2, /two of the files are named LICENSE/],
  ["a schema of a command without one", ["serve", "--json-schema"], {}, 2, /--json-schema goes with a command that has --json/],
  ["a header for no address", ["cookies", id, "--format", "header"], {}, 2, /--format header and --url go together/],
  ["a schema that is not there", ["scrape", id, "--schema", "/nowhere/x.json", "--base-url", "https://a.example"], { CLOUD_BROWSER_API_KEY: "k" }, 2, /--schema: \/nowhere\/x\.json can't be read/],
])("%s", async (_, args, env, code, words) => {
  const result = await runHere(args, { ...nowhere, ...env });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: "" });
  expect(result.stderr).toMatch(words);
}); // prettier-ignore

test("a server that is not there, and one that breaks connections off", async () => {
  const server = createServer((request) => request.socket.destroy());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const env = { ...nowhere, CLOUD_BROWSER_API_KEY: "k" };
  // Sent once: what it did is not known.
  const broken = await runHere(["open", "--base-url", url], env);
  await once(server.close(), "close");
  expect(broken).toMatchObject({ code: 3, stderr: expect.stringContaining("connection closed before") });
  const unreachable = await runHere(["open", "--base-url", url], env);
  expect(unreachable).toMatchObject({ code: 3, stderr: expect.stringContaining("connection refused") });
});

test("what can't be made a function is told with its entries", async () => {
  const refused = [
    { seq: 4, code: "drag", message: "something was dragged", entry: "dragged from “Card”" },
    { seq: null, code: "no-acts", message: "nothing was done", entry: null },
  ];
  const { code, stderr } = await runAgainst(
    { ...described, [`POST /control/sessions/${id}/function`]: answerJson({ detail: "no", refused }, 409) },
    ["functions", "make", id],
  );
  expect(code).toBe(3);
  expect(stderr).toContain(
    "entry 4 (dragged from “Card”): something was dragged [drag]\n  nothing was done [no-acts]\n",
  );
});

test("what fails for one of several keeps it from no other", async () => {
  const { code, stderr } = await runAgainst(
    {
      ...described,
      "DELETE /control/functions/b": answerJson({ deleted: true }),
      "DELETE /control/functions/a": answerJson({ detail: "no such function" }, 404),
    },
    ["functions", "delete", "a", "b", "c"],
  );
  expect(code).toBe(6);
  expect(stderr).toMatch(/^cloud-browser: a: no such function \(HTTP 404\)\nc: .+404\n$/);
});

test("Ctrl-C cancels a run that was started here", async () => {
  const interrupt = new AbortController();
  await using service = await startFake({
    "POST /api/automation/start": (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "x-service-run-id": id });
      response.write('id: 1\ndata: {"type":"tool_start","name":"wait"}\n\n');
      response.write('id: 2\ndata: {"type":"tool_result","content":"waited"}\n\n');
    },
    [`POST /control/runs/${id}/cancel`]: answerJson({ cancelled: true }),
  });
  const env = { ...nowhere, CLOUD_BROWSER_BASE_URL: service.url, CLOUD_BROWSER_API_KEY: "k" };
  const { code, stderr } = await runCli(["automate", "x"], {
    env,
    interrupt,
    onNote: (text) => text.includes("waited") && interrupt.abort(),
  });
  expect(code).toBe(130);
  expect(stderr).toContain(`the run ${id} was cancelled`);
  expect(service.requests).toContain(`POST /control/runs/${id}/cancel`);
});

test("--timeout cancels it, too, and leaving one that was started elsewhere does not", async () => {
  const interrupt = new AbortController();
  const waiting: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "x-service-run-id": id });
    response.write(
      'id: 1\ndata: {"type":"tool_start","name":"wait"}\n\nid: 2\ndata: {"type":"tool_result","content":"waited"}\n\n',
    );
  };
  await using service = await startFake({
    "POST /api/automation/start": waiting,
    [`GET /control/runs/${id}`]: answerJson({ thread_id: id }),
    [`GET /control/runs/${id}/events`]: waiting,
    [`POST /control/runs/${id}/cancel`]: answerJson({ cancelled: true }),
  });
  const env = { ...nowhere, CLOUD_BROWSER_BASE_URL: service.url, CLOUD_BROWSER_API_KEY: "k" };
  const late = await runCli(["automate", "x", "--timeout", "1"], { env });
  expect(late).toMatchObject({ code: 7, stderr: expect.stringContaining(`the run ${id} was cancelled`) });
  const before = service.requests.length;
  const follower = await runCli(["runs", "follow", id], {
    env,
    interrupt,
    onNote: (text) => text.includes("waited") && interrupt.abort(),
  });
  expect(follower.code).toBe(130);
  expect(service.requests.slice(before).filter((each) => each.startsWith("POST"))).toEqual([]);
});

test("end --all ends more sessions than a page has, and says which could not be ended", async () => {
  const ids = Array.from({ length: 1_001 }, (_, index) => `s${9_999 - index}`);
  const open = new Set(ids);
  const ends = ids.map((one): [string, Answer] => [
    `DELETE /control/sessions/${one}`,
    one === "s9998"
      ? answerJson({ detail: "the node that has it is down" }, 503)
      : (request, response) => {
          open.delete(one);
          answerJson({})(request, response);
        },
  ]);
  const list: Answer = (request, response) => {
    const query = new URL(request.url ?? "", "http://service").searchParams;
    const page = ids.slice(ids.indexOf(query.get("after") ?? "") + 1).filter((one) => open.has(one));
    const sessions = page.slice(0, Number(query.get("limit"))).map((session_id) => ({ session_id }));
    answerJson({ sessions })(request, response);
  };
  const result = await runAgainst({ "GET /control/sessions": list, ...Object.fromEntries(ends) }, ["end", "--all"]);
  expect([...open]).toEqual(["s9998"]);
  expect(result).toMatchObject({ code: 3, stdout: "1000 ended, 1 could not be ended.\n" });
  expect(result.stderr).toMatch(/^cloud-browser: s9998: the node that has it is down \(HTTP 503\)$/m);
});
