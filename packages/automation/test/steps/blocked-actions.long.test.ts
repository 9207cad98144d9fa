import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Step } from "../../src/task/step.ts";
import type { BrowserPool } from "@cloud-browser/browsers";
import { openStepContext, startBrowsers } from "./step-context.ts";
import { click, fill, performAll, the } from "./steps.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let pool: BrowserPool;
let site: Site;
beforeAll(async () => {
  pool = await startBrowsers();
  site = await startSite({
    "/ask": `<button onclick="confirm('Really?')">Delete</button><button onclick="prompt('Who?')">Greet</button>
      <button onclick="alert('No name given')">Save</button>`,
    "/files": "<a href=/file>Get it</a><a href=/ask download=all.html>Keep it</a>",
    "/file": (_, response) => {
      response.writeHead(200, { "content-disposition": "attachment; filename=it.pdf" }).end("%PDF");
    },
    "/form": `<form action=/sent><label>E-mail <input type=email required></label><label>Size <input type=range max=10></label>
      <button>Send</button><button formnovalidate>Keep draft</button><button type=button>Look</button></form>`,
    "/sent": "<h1>Sent</h1>",
    "/checked": `<form><label>E-mail <input type=email onblur="checkValidity()"></label><button type=button>Look</button></form>`,
    "/cleared": `<form onsubmit="reset(); return false"><label>E-mail <input type=email required></label><button>Send</button></form>`,
  });
});
afterAll(async () => {
  await pool.close();
  await site[Symbol.asyncDispose]();
});

/** Opens a page, and performs steps there. */
async function perform(path: string, ...steps: readonly Step[]): Promise<string> {
  await using place = await openStepContext(pool);
  return (await performAll(place.context, { action: "open", url: site.url + path }, ...steps)).summary;
}

const mail = (value: string): Step => fill("E-mail", value);

describe("A step without effect fails", () => {
  test.concurrent.each<readonly [string, string, Step, string]>([
    ["a question was answered with no", "/ask", click("button", "Delete"), 'the page showed the dialog "Really?"'],
    ["there was nobody to answer", "/ask", click("button", "Greet"), 'the page showed the dialog "Who?"'],
    ["a file was not taken", "/files", click("link", "Get it"), 'it starts a download ("it.pdf")'],
    ["nor the page as a file", "/files", click("link", "Keep it"), 'it starts a download ("all.html")'],
    [
      "form validation fails",
      "/form",
      click("button", "Send"),
      'the form was not submitted, a field is invalid: "E-mail: ',
    ],
    [
      "by a key, too",
      "/form",
      { action: "press", key: "Enter", target: the("textbox", "E-mail") },
      "the form was not submitted",
    ],
    [
      "a slider can't go there",
      "/form",
      { action: "fill", target: the("slider", "Size"), value: "50" },
      "it takes numbers from",
    ],
  ])("because %s", async (_, path, step, message) => {
    await expect(perform(path, step)).rejects.toMatchObject({
      code: "step_failed",
      message: expect.stringContaining(message),
    });
  });
});

test("Form validation also blocks a key press without a target", async () => {
  await expect(perform("/form", mail("nobody"), { action: "press", key: "Enter" })).rejects.toThrow(
    "the form was not submitted",
  );
});

describe("A step is done", () => {
  test.concurrent.each<readonly [string, string, readonly Step[], RegExp]>([
    ["when the form is in order", "/form", [mail("a@b.example"), click("button", "Send")], /Now on .*\/sent/],
    ["when nothing has to be in order", "/form", [click("button", "Keep draft")], /Now on .*\/sent/],
    ["when nothing was to be sent", "/form", [click("button", "Look")], /^Clicked/],
    ["when the form is cleared behind it", "/cleared", [mail("a@b.example"), click("button", "Send")], /^Clicked/],
    ["when a field is only looked at", "/checked", [mail("x"), click("button", "Look")], /^Clicked/],
    ["and tells what the page said", "/ask", [click("button", "Save")], /The page said "No name given"/],
  ])("%s", async (_, path, steps, summary) => {
    expect(await perform(path, ...steps)).toMatch(summary);
  });
});
