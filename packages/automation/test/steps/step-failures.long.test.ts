import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AutomationError } from "../../src/automation-error.ts";
import { performStep } from "../../src/steps/perform-step.ts";
import type { Step } from "../../src/task/step.ts";
import type { BrowserPool } from "@cloud-browser/browsers";
import { account, startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { openStepContext, startBrowsers } from "./step-context.ts";
import { click, fill, performAll, take, the } from "./steps.ts";

let site: AutomationSite;
let pool: BrowserPool;

beforeAll(async () => {
  site = await startAutomationSite();
  pool = await startBrowsers();
}, 60_000);

afterAll(async () => {
  await pool.close();
  await site[Symbol.asyncDispose]();
});

const open = (path: string): Step => ({ action: "open", url: site.url + path });

describe("A step that can't be performed", () => {
  it.concurrent.each<readonly [sentence: string, path: string, step: Step, code: string, message: string]>([
    [
      "says that the connection was cut",
      "/",
      { action: "open", url: "{{site}}/drops" },
      "step_failed",
      "net::ERR_EMPTY_RESPONSE",
    ],
    ["says that the server failed", "/", { action: "open", url: "{{site}}/fails" }, "step_failed", "status 500"],
    [
      "opens web pages only",
      "/",
      { action: "open", url: "file:///etc/passwd" },
      "address_refused",
      "only http and https",
    ],
    ["wants whole addresses", "/", { action: "open", url: "example" }, "step_failed", "must begin with http://"],
    ["says that there is no page before", "/", { action: "back" }, "step_failed", 'the step "go back" failed'],
    [
      "says what is there instead",
      "/names",
      click("button", "Sign in"),
      "step_failed",
      'the step "click button "Sign in"" failed: on the page "Names"',
    ],
    ["says what covers it", "/covered", click("button", "Under"), "step_failed", "it is covered by <div>"],
    ["says that it is disabled", "/form", click("button", "Save draft"), "step_failed", "it is disabled"],
    [
      "says that the field takes another form of value",
      "/form",
      fill("First day", "tomorrow"),
      "step_failed",
      "a date is 2026-11-21",
    ],
    ["says that the field is read only", "/form", fill("Number of the form", "x"), "step_failed", "it can't be edited"],
    [
      "names the options that there are",
      "/form",
      { action: "select", target: the("combobox", "Country"), option: "Spain" },
      "step_failed",
      'it has no option "Spain"; there are "Choose", "Germany", "France", "Nowhere"',
    ],
    [
      "does not take a disabled option",
      "/form",
      { action: "select", target: the("combobox", "Country"), option: "Nowhere" },
      "step_failed",
      "is disabled",
    ],
    ["knows no such key", "/form", { action: "press", key: "Nokey" }, "step_failed", "unknown key"],
    [
      "says that there is no table",
      "/opened",
      take({ kind: "table" }),
      "step_failed",
      'there is no table on the page "Opened"',
    ],
    [
      "does not make data up",
      "/opened",
      take({
        kind: "data",
        schema: { type: "object", properties: { price: { type: "number" } }, required: ["price"] },
      }),
      "step_failed",
      "does not declare `price`",
    ],
    [
      "wants values for its variables",
      "/form",
      fill("Full name", "{{nobody}}"),
      "unknown_variable",
      'missing value of variable "nobody"',
    ],
  ])(
    "%s",
    async (_, path, step, code, message) => {
      await using place = await openStepContext(pool, { site: site.url });
      const { context } = place;
      if (step.action !== "back") await performStep(open(path), context);
      const error = await performStep(step, context).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(AutomationError);
      expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    },
    30_000,
  );

  it("does not reveal the value for a password field", async () => {
    await using place = await openStepContext(pool, { secret: account.password });
    await performAll(place.context, open("/form"));
    await place
      .page()
      .locator("#code")
      .evaluate((field) => field.setAttribute("readonly", ""));
    const error = await performAll(place.context, fill("Access code", "{{secret}}")).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(String(error)).toContain("the field did not take the value");
    expect(String(error)).not.toContain(account.password);
  }, 30_000);

  it("is not even tried at an address that is not permitted", async () => {
    await using place = await openStepContext(pool);
    const before = site.requests.length;
    const context = {
      ...place.context,
      checkUrl: () => Promise.reject(Object.assign(new Error("not there"), { code: "address-refused" })),
    };
    await expect(performStep(open("/login"), context)).rejects.toMatchObject({
      code: "address_refused",
      message: "not there",
    });
    expect(site.requests.length).toBe(before);
  });

  it("says that the session is lost when all pages are closed", async () => {
    await using place = await openStepContext(pool);
    await place.page().close();
    await expect(performAll(place.context, open("/"))).rejects.toMatchObject({ code: "session_lost" });
  });

  it.each<readonly [sentence: string, path: string, step: Step]>([
    ["a search for a part", "/names", click("button", "Never there")],
    ["a long wait", "/names", { action: "wait", for: { seconds: 30 } }],
    ["a step on a page that is busy with itself", "/busy", { action: "scroll", to: "down" }],
    ["a page that does not answer", "/hangs", { action: "back" }],
  ])(
    "is aborted within a second: %s",
    async (_, path, step) => {
      await using place = await openStepContext(pool);
      const isAnswered = path !== "/hangs";
      if (isAnswered) await performAll(place.context, open(path));
      const running = performAll(place.context, isAnswered ? step : open(path));
      running.catch(() => {});
      setTimeout(() => place.abort.abort(new Error("called off")), 300);
      const began = Date.now();
      await expect(running).rejects.toThrow("called off");
      expect(Date.now() - began).toBeLessThan(1300);
    },
    30_000,
  );
});
