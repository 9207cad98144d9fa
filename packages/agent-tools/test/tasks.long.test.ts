import { afterAll, beforeAll, expect, test } from "vitest";
import { createMcpServer } from "../src/mcp.ts";
import { connectInMemory, type CalledText, type ConnectedClient, type Person } from "./mcp-client.ts";
import { readPageText } from "./page-text.ts";
import { startRealService, type RealService } from "./real-service.ts";
import { taskSite } from "./task-site.ts";

let real: RealService;
let connection: ConnectedClient;
/** Calls of the task that is being done. */
let calls = 0;
/** Sessions that tasks of before have opened, by path. */
let shop = "";
let chairs = "";
let manual = "";

beforeAll(async () => {
  real = await startRealService(taskSite);
  const { url: baseUrl, apiKey } = real.service;
  connection = await connectInMemory(createMcpServer({ baseUrl, apiKey }), "2026-07-28", person);
  const open = async (path: string): Promise<string> =>
    readSessionId(await connection.call("open_session", { url: `${real.site}${path}` }));
  [shop, chairs, manual] = [await open("/"), await open("/chairs"), await open("/manual")];
});
afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await real[Symbol.asyncDispose]();
});

async function person({ mode, url = "" }: Parameters<Person>[0]): ReturnType<Person> {
  if (mode === "form") return { action: "accept", content: { confirm: true } };
  await answerByLink(url);
  return { action: "accept" };
}

/** Answers the open request of a session, as the person does who opens its link. */
async function answerByLink(url: string): Promise<void> {
  const { apiKey, url: base } = real.service;
  const headers = { authorization: `Bearer ${apiKey}` };
  expect(url.startsWith(base) && url.length > base.length + 20).toBe(true);
  const { handovers }: { handovers: { handover_id: string; session_id: string }[] } = await (
    await fetch(`${base}/control/handovers?state=open`, { headers })
  ).json();
  const { handover_id, session_id } = { handover_id: "", session_id: "", ...handovers[0] };
  await fetch(`${base}/control/sessions/${session_id}/handovers/${handover_id}/answer`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ answer: "done" }),
  });
}

async function call(name: string, args: Record<string, unknown> = {}): Promise<CalledText> {
  calls += 1;
  const result = await connection.call(name, args);
  expect({ name, text: result.text, isError: result.isError }).toMatchObject({ isError: false });
  return result;
}

/** Makes the call that a result says is next. */
async function callNext({ text }: CalledText, more: Record<string, unknown> = {}): Promise<CalledText> {
  const [, name = "", args = "{}"] = /^next: .*?([a-z]+_?[a-z]*) (\{[^}]*\})/mu.exec(text) ?? [];
  return call(name, { ...JSON.parse(args), ...more });
}

function readSessionId({ text }: CalledText): string {
  return /^session_id: (\S+)$/mu.exec(text)?.[1] ?? "";
}

const warranty = "27 months";
let run = "";
let fn = "";
let endedSession = "";

/** Tasks: what a person wants, in how many steps they would do it, and how an agent does. */
const tasks: readonly (readonly [task: string, most: number, work: () => Promise<string>, result: RegExp])[] = [
  [
    "open a page, and read when the shop closes",
    2,
    async () => readPageText((await callNext(await call("open_session", { url: `${real.site}/` }))).text),
    /18:30/u,
  ],
  [
    "read a table of prices",
    1,
    async () => readPageText((await call("scrape", { session_id: chairs })).text),
    /Pine \| 80 EUR/u,
  ],
  [
    "get the price of a chair as data",
    1,
    async () =>
      readPageText(
        (
          await call("scrape", {
            session_id: chairs,
            response_format: {
              type: "object",
              properties: {
                items: {
                  type: "array",
                  items: { type: "object", properties: { Name: { type: "string" }, Price: { type: "string" } } },
                },
              },
            },
          })
        ).text,
      ),
    /80/u,
  ],
  [
    "find how long the warranty is, in a manual that is longer than a result",
    1,
    async () => readPageText((await call("scrape", { session_id: manual, query: "warranty lasts months" })).text),
    new RegExp(warranty, "u"),
  ],
  [
    "see what the manual is about",
    1,
    async () => readPageText((await call("scrape", { session_id: manual, outline: true })).text),
    /1\.77\.1 Warranty/u,
  ],
  [
    "read one part of the manual by its name",
    1,
    async () => readPageText((await call("scrape", { session_id: manual, section: "Part 50" })).text),
    /^## Part 50\n/u,
  ],
  [
    "read one part of the manual by its number",
    1,
    async () => readPageText((await call("scrape", { session_id: manual, section: "1.77.1" })).text),
    new RegExp(warranty, "u"),
  ],
  [
    "read the manual from the beginning, two pages",
    2,
    async () => {
      const first = await call("scrape", { session_id: manual });
      const second = await call("scrape", { session_id: manual, page: 2 });
      expect(second.structured["pages"]).toBe(first.structured["pages"]);
      return readPageText(first.text) + readPageText(second.text);
    },
    /Part 1\n[^]*Part 40\n/u,
  ],
  [
    "read the page without navigation and footer",
    1,
    async () => readPageText((await call("scrape", { session_id: shop, only_main_content: true })).text),
    /^(?![^]*Imprint)[^]*18:30/u,
  ],
  [
    "read one element",
    1,
    async () => readPageText((await call("scrape", { session_id: shop, selector: "b" })).text),
    /^\**18:30\**$/u,
  ],
  [
    "list the pictures",
    1,
    async () => readPageText((await call("scrape", { session_id: chairs, only_images: true })).text),
    /An oak chair.*oak\.png/u,
  ],
  [
    "see which cookies the shop has set",
    1,
    async () => (await call("read_cookies", { session_id: shop })).text,
    /sid \| 127\.0\.0\.1\/ \| HttpOnly(?![^]*53cr3t)/u,
  ],
  [
    "see which sessions are open",
    1,
    async () => (await call("list_sessions", { state: "active" })).text,
    /Manual \| http/u,
  ],
  [
    "buy a chair",
    1,
    async () => {
      const result = await call("automate", {
        query: `Open ${real.site}/oak, fill "Amount" with "2", click the button "Buy" and extract the order number`,
      });
      [run, fn] = [String(result.structured["run_id"]), String(result.structured["function_id"])];
      endedSession = String(result.structured["session_id"]);
      return result.text;
    },
    /state: done[^]*4711/u,
  ],
  [
    "see what that run did, once more",
    1,
    async () => readPageText((await call("follow_run", { run_id: run })).text),
    /click/u,
  ],
  [
    "buy another one in the same way",
    1,
    async () => (await call("run_function", { function_id: fn })).text,
    /state: done/u,
  ],
  [
    "find the function, and what can be changed in it",
    1,
    async () => readPageText((await call("list_functions")).text),
    /Buy/u,
  ],
  [
    "see what was clicked, by whom",
    1,
    async () => readPageText((await call("read_timeline", { session_id: endedSession })).text),
    /run step [^\n]*Clicked button \\"Buy/u,
  ],
  [
    "find the video of it",
    1,
    async () => (await call("get_replay", { session_id: endedSession })).text,
    /video_duration_ms: \d+[^]*link: http:\S+\/replay\n/u,
  ],
  [
    "have the person log in",
    1,
    async () => (await call("ask_person", { session_id: shop, message: "Please log in" })).text,
    /answer: done/u,
  ],
  [
    "end what is not needed any more, and find its video",
    2,
    async () => {
      await call("end_session", { session_id: shop });
      return (await call("get_replay", { session_id: shop })).text;
    },
    /video_duration_ms: \d+/u,
  ],
  [
    "find a run whose answer was lost",
    1,
    async () => (await call("follow_run")).text,
    new RegExp(`"run_id":"(?:[\\w-]+)"`, "u"),
  ],
];

test("there are twenty tasks and more", () => {
  expect(tasks.length).toBeGreaterThanOrEqual(20);
});

test.each(tasks)("%s: in %i calls at most", async (_, most, work, result) => {
  calls = 0;
  const text = await work();
  expect(text).toMatch(result);
  expect(calls).toBeLessThanOrEqual(most);
});

test("an agent that has only the server does five tasks by what results say is next", async () => {
  const { tools } = await connection.client.listTools();
  expect(tools.map(({ name }) => name)).toContain("open_session");
  // 1. Open and read. 2. Read on to the end. 3. A failed call says how it is made. 4. End, and find the video. 5. A run that takes longer than its call.
  const session = await call("open_session", { url: `${real.site}/manual` });
  let page = await callNext(session);
  let [number, parts] = [1, readPageText(page.text)];
  for (
    let next = /^next: the same call with "page":(\d+)/mu.exec(page.text);
    next !== null;
    next = /^next: the same call with "page":(\d+)/mu.exec(page.text)
  ) {
    number = Number(next[1]);
    page = await call("scrape", { session_id: readSessionId(session), page: number });
    parts += readPageText(page.text);
  }
  expect(number).toBe(page.structured["pages"]);
  expect(parts.match(/^## Part /gmu)).toHaveLength(120);
  const refusal = await connection.call("get_replay", { session: readSessionId(session) });
  expect(refusal.text).toMatch(/session_id is missing/u);
  const open = await connection.call("get_replay", { session_id: readSessionId(session) });
  const [, name = "", args = "{}"] = /(end_session) (\{[^}]*\})/u.exec(open.text) ?? [];
  await call(name, JSON.parse(args));
  expect((await call("get_replay", { session_id: readSessionId(session) })).structured["video_duration_ms"]).toEqual(
    expect.any(Number),
  );
  let followed = await call("automate", { query: `Open ${real.site}/ and click the link "Chairs"`, wait_s: 0 });
  for (let turn = 0; /^next: .*follow_run/mu.test(followed.text) && turn < 60; turn += 1)
    followed = await callNext(followed, { wait_s: 1 });
  expect(followed.structured["state"]).toBe("done");
});
