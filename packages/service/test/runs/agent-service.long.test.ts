import { readAutomationStream, type StreamEvent } from "@cloud-browser/stream";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FunctionRecord } from "@cloud-browser/automation";
import { call, prices, refIn } from "../../../automation/test/agent/agent-harness.ts";
import {
  startStubModelServer,
  type StubModelServer,
  type StubRequest,
} from "@cloud-browser/testing/model/stub-model-server.ts";
import type { StubTurn } from "@cloud-browser/testing/model/stub-turns.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let stub: StubModelServer;
let site: Site;
/** What the model does next. */
let script: ((request: StubRequest) => StubTurn)[] = [];

beforeAll(async () => {
  stub = await startStubModelServer((request) => script.shift()?.(request) ?? { text: "The script is over." });
  running = await startTestService({ model: { baseUrl: stub.baseUrl, name: "stub", prices } });
  site = await startSite({ "/": "<label>Card <input oninput='o.textContent = this.value'></label><p id=o></p>" });
});
afterAll(async () => {
  await Promise.all([running, site].map((each) => each[Symbol.asyncDispose]()));
  await stub.close();
});

async function automate(query: string, ...turns: typeof script): Promise<StreamEvent[]> {
  script = turns;
  const events: StreamEvent[] = [];
  for await (const event of readAutomationStream(await running.ask("POST", "/api/automation/start", { query })))
    events.push(event);
  return events;
}

const opened = (): StubTurn => call("open_page", { url: site.url });

test("a task that the model gives up ends with its reason, and creates no function", async () => {
  const events = await automate("Buy milk", opened, () =>
    call("finish", { answer: "There is none.", succeeded: false }),
  );
  expect(events.at(-1)).toMatchObject({ type: "done", metadata: { succeeded: false } });
  expect(events.at(-1)).not.toHaveProperty("function_id");
  const done = await automate("Look", opened, () => call("finish", { answer: "Here." }));
  expect(done.at(-1)).not.toHaveProperty("metadata.succeeded");
});

test("an address that the task spells out is not built from its values", async () => {
  const url = `${site.url}/?admin`;
  const events = await automate(
    `Open ${url} and fill in admin`,
    () => call("open_page", { url }),
    (request) => call("fill", { ref: refIn(request, 'textbox "Card"'), text: "admin" }),
    () => call("finish", { answer: "Done.", variables: [{ name: "user", value: "admin" }] }),
  );
  const { functions } = await readAnswer<{ functions: readonly FunctionRecord[] }>(
    await running.ask("GET", "/control/functions"),
  );
  const record = functions.find(({ function_id }) =>
    events.some((event) => "function_id" in event && event.function_id === function_id),
  );
  expect(record?.steps).toMatchObject([{ url }, { value: "{{user}}" }]);
});

test.each(["47-11xq", 'a"47\\11xq'])(
  "what the task names as a secret is none elsewhere, whatever field it goes into: %s",
  async (pin) => {
    const events = await automate(
      `Open ${site.url} and fill in the PIN '${pin}'`,
      opened,
      ({ body }) => {
        const [, ref] = /textbox "Card" \[ref=(e\d+)\]/.exec(body.messages.at(-1)?.content ?? "") ?? [];
        return call("fill", { ref, text: pin });
      },
      () => call("extract", { name: "all", kind: "list" }),
      () => call("extract", { name: "all", kind: "text" }),
      () => call("finish", { answer: "Done.", variables: [{ name: "pin", value: pin }] }),
    );
    expect(events.at(-1)).toMatchObject({ type: "done", function_id: expect.any(String) });
    const functions = await (await running.ask("GET", "/control/functions")).text();
    const files = readdirSync(running.data).filter((name) => name.startsWith("records"));
    const written = files.map((name) => readFileSync(join(running.data, name), "latin1")).join("");
    expect(functions).toContain("{{password}}");
    expect(JSON.stringify(events) + functions + written).not.toContain("11xq");
  },
);
