import { readAutomationStream, type StreamEvent } from "@cloud-browser/stream";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { account, startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { openStepContext } from "../../../automation/test/steps/step-context.ts";
import { performStep } from "@cloud-browser/automation";
import { BrowserPool } from "@cloud-browser/browsers";
import { startTestService, type TestService } from "../running-service.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let pages: AutomationSite;
let site: Site;

beforeAll(async () => {
  running = await startTestService();
  pages = await startAutomationSite();
  const echo = `<form onsubmit="return false"><label>Kennwort <input type=password id=k oninput="o.textContent = k.value"></label></form><p id=o></p>`;
  site = await startSite({
    "/field": echo,
    "/shown": `<label>Kennwort <input name=password></label><label>Einmalcode <input autocomplete=one-time-code></label>`,
    "/get": `<form action=/in><input name=user><input type=password name=p><button>Sign in</button></form>`,
    "/in": `<a href=/in>Back</a><script>document.querySelector("a").search = location.search</script>`,
    "/idle": `<form onsubmit="return false"><input name=user><input type=password><button>Sign in</button></form>`,
    "/late": `<form onsubmit="setTimeout(() => document.body.innerHTML = '<h1>Welcome</h1>', 3500); return false"><input name=user><input type=password><button>Sign in</button></form>`,
  });
});
afterAll(async () => {
  await Promise.all([running, pages, site].map((each) => each[Symbol.asyncDispose]()));
});

async function automate(query: string): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readAutomationStream(await running.ask("POST", "/api/automation/start", { query })))
    events.push(event);
  return events;
}

/** All that the service has written. */
function written(): string {
  const files = readdirSync(running.data).filter((name) => name.startsWith("records"));
  return files.map((name) => readFileSync(join(running.data, name), "latin1")).join("");
}

describe("a value filled into a password field, whatever its name", () => {
  test.each([
    ["as the last thing to do", "fill Kennwort with Hunter2Xq"],
    ["and shown by the page", "fill Kennwort with Hunter3Xq, extract the text"],
    ["and repeated by a failure", "fill Kennwort with Hunter4Xq, click Nowhere"],
  ])("is in no event, and stored nowhere: %s", async (_, task) => {
    const events = await automate(`Open ${site.url}/field, ${task}`);
    expect(events.at(-1)?.type).toBe(task.includes("click") ? "error" : "done");
    const functions = await (await running.ask("GET", "/control/functions")).text();
    expect(JSON.stringify(events) + functions + written()).not.toMatch(/hunter\dxq/i);
  });
});

test.each(["Kennwort", "Einmalcode"])("a secret in a visible field is kept secret, too: %s", async (field) => {
  const events = await automate(`Open ${site.url}/shown, fill ${field} with Hunter5Xq`);
  expect(events.at(-1)?.type).toBe("done");
  const functions = await (await running.ask("GET", "/control/functions")).text();
  expect(JSON.stringify(events) + functions + written()).not.toMatch(/hunter5xq/i);
});

test.each([
  ["is clicked", "click Back", "done"],
  ["is extracted", "extract the links", "done"],
  ["is seen by a failure", "click Nowhere", "error"],
])(
  "a password in the address of a page and in a link is told in no event, and in no function: the link %s",
  async (_, rest, end) => {
    const events = await automate(`Open ${site.url}/get, log in as ada with password "Hunter 6/Xq", ${rest}`);
    expect(events.at(-1)?.type).toBe(end);
    const functions = await (await running.ask("GET", "/control/functions")).text();
    expect(JSON.stringify(events) + functions).not.toMatch(/hunter.{1,3}6/i);
  },
);

describe("a login", () => {
  test("that navigates is done", async () => {
    const task = `Open ${pages.url}/login, log in as ${account.user} with password "${account.password}"`;
    expect((await automate(task)).at(-1)?.type).toBe("done");
  });

  test("that is slow is waited for", async () => {
    const events = await automate(`Open ${site.url}/late, log in as ada with password "x-1-y"`);
    expect(events.at(-1)?.type).toBe("done");
  });

  test.each([
    ["whose page says why not", (): string => `${pages.url}/login`, /the page says .+Wrong user or password/],
    ["whose page does nothing", (): string => `${site.url}/idle`, /still asks for the password/],
  ])("that failed creates no function: %s", async (_, url, reason) => {
    const events = await automate(`Open ${url()}, log in as ada with password "wrong-Pass77"`);
    expect(events.at(-1)).toMatchObject({ type: "error", error: "step_failed" });
    expect(JSON.stringify(events.at(-1))).toMatch(reason);
    expect(events.map(({ type }) => type)).not.toContain("function_uploaded");
  });
});

describe("a shortcut that pastes what another session may have copied", () => {
  test.each(["Control+V", "ControlOrMeta+Shift+v", "Meta+KeyV", "Shift+Insert", "Paste"])(
    "is not pressed: %s",
    async (key) => {
      const pool = await BrowserPool.start({ maxBrowsers: 1 });
      try {
        await using place = await openStepContext(pool);
        await expect(performStep({ action: "press", key }, place.context)).rejects.toMatchObject({
          code: "step_failed",
        });
        await performStep({ action: "press", key: "Control+A" }, place.context);
      } finally {
        await pool.close();
      }
    },
  );
});
