import { startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PersonAtWork } from "../../src/page/person.ts";
import { AgentHarness, call, filterEvents, refIn, type Script } from "./agent-harness.ts";

let shop: AutomationSite;
let harness: AgentHarness;
beforeAll(async () => void ([shop, harness] = await Promise.all([startAutomationSite(), AgentHarness.open()])));
afterAll(() => Promise.all([shop[Symbol.asyncDispose](), harness.close()]));

const script: Script = (request, number) =>
  [
    () => call("open_page", { url: `${shop.url}/login` }),
    () => call("ask_person", { message: "Enter the code, not hunter2-secret." }),
    () => call("finish", { answer: String(refIn(request, 'textbox "Search"') !== "") }),
  ][number]?.() ?? call("finish", { answer: "?" });

test("an agent asks a person for what it can't do, sees the page as it is then, and says so; without anybody it can't", async () => {
  const messages: string[] = [];
  const task = "Log in to the shop and tell the user. The password is hunter2-secret.";
  const person = (page: Page): PersonAtWork => ({
    askPerson: async (message) => {
      messages.push(message);
      await page.goto(`${shop.url}/products`);
      return { answer: "done", note: "ask Anna" };
    },
  });
  const outcome = await harness.work({ task, script, person });
  expect(messages).toEqual([expect.stringMatching(/^Enter the code, not (?!.*hunter2)/u)]);
  expect(outcome.work).toMatchObject({
    answer: "true",
    notes: [expect.stringContaining("A person was asked: Enter the code")],
  });
  expect(outcome.work?.succeeded).toBeUndefined();
  expect(JSON.stringify(outcome.server.requests.at(-1)?.body.messages)).toContain("The person says: ask Anna");
  const listTools = (one: typeof outcome): readonly unknown[] =>
    one.server.requests[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
  expect(listTools(outcome)).toContain("ask_person");

  const declined = await harness.work({
    script: [
      call("ask_person", { message: "Log in." }),
      call("finish", { answer: "It could not be done.", succeeded: false }),
    ],
    person: () => ({ askPerson: async () => ({ answer: "declined", note: null }) }),
  });
  expect(declined.work).toMatchObject({ succeeded: false, steps: [] });
  expect(JSON.stringify(declined.server.requests.at(-1)?.body.messages)).toContain("a person was asked, and declined");

  const alone = await harness.work({
    script: [call("ask_person", { message: "Log in." }), call("finish", { answer: "No." })],
  });
  expect(listTools(alone)).not.toContain("ask_person");
  expect(filterEvents(alone.events, "tool_result").at(0)?.content).toMatch(/^Not done/u);
});

test("an agent whose page a person had meanwhile does nothing by what it saw before, and looks again", async () => {
  let holds = 0;
  const { work, events } = await harness.work({
    script: (request, number) =>
      [
        () => call("open_page", { url: `${shop.url}/login` }),
        () => call("click", { ref: refIn(request, 'button "Sign in"') }),
        () => call("finish", { answer: String(refIn(request, 'textbox "Search"') !== "") }),
      ][number]?.() ?? call("finish", { answer: "?" }),
    task: "What does the shop show?",
    person: (page) => ({
      untilMayAct: async () => {
        if (page.url() !== `${shop.url}/login` || holds > 0) return false;
        holds += 1;
        await page.goto(`${shop.url}/products`);
        return true;
      },
    }),
  });
  expect(filterEvents(events, "tool_result").map(({ content }) => content)[1]).toMatch(/a person has acted/u);
  expect([holds, work?.answer]).toEqual([1, "true"]);
});
