import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCredential } from "../../src/person/wanted-credential.ts";
import type { PersonAnswer } from "../../src/page/person.ts";
import { Planner } from "../../src/planner/planner.ts";
import type { Work, Workplace } from "../../src/task/work.ts";
import { FunctionWorker } from "../../src/functions/run-function.ts";
import { type Place, createRecord, TestBrowsers } from "../functions/workplace.ts";

const long = "<p>A paragraph of a page that has a lot to say about ferries, and says it.</p>".repeat(40);
const login =
  "<form><label>User <input name=user></label><label>Password <input type=password></label><button>Sign in</button></form>";

let browsers: TestBrowsers;
let site: Site;
beforeAll(async () => {
  browsers = await TestBrowsers.start();
  site = await startSite({
    "/wall": `<title>Shop</title><h1>Sign in</h1>${login}`,
    "/head": `<title>Shop</title><header>${login}</header><main><h1>Ferries</h1>${long}<a href="/next">Next</a></main>`,
    "/next": "<title>Next</title><h1>Next</h1><p>Here it goes on.</p>",
    "/in":
      "<title>In</title><h1>Orders</h1><table><tr><th>Item</th></tr><tr><td>Tea</td></tr></table><button>Details</button>",
  });
});
afterAll(async () => {
  await browsers?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const done: PersonAnswer = { answer: "done", note: null };

/** Has a task done; a person who is asked does this, and answers. */
async function work(
  place: Place,
  task: string,
  person: (message: string) => Promise<PersonAnswer>,
  more: Partial<Workplace> = {},
): Promise<{ readonly messages: string[]; readonly work: Work | undefined; readonly error: string }> {
  const messages: string[] = [];
  const askPerson = async (message: string): Promise<PersonAnswer> => {
    messages.push(message);
    return person(message);
  };
  try {
    const result = await new Planner().work(task, { ...place.workplace, askPerson, ...more });
    return { messages, work: result, error: "" };
  } catch (error) {
    return { messages, work: undefined, error: String(error) };
  }
}

describe("a page wants", () => {
  test.each<[what: string, html: string, wanted: "login" | "code" | undefined]>([
    ["a login", login, "login"],
    [
      "a login in two steps",
      "<form><h1>Sign in</h1><label>E-mail <input type=email autocomplete=username></label><button>Next</button></form>",
      "login",
    ],
    ["a login in a frame", `<iframe srcdoc="${login.replaceAll('"', "&quot;")}"></iframe>`, "login"],
    ["a code by its purpose", "<input autocomplete=one-time-code>", "code"],
    ["a code by its label", "<label>Verification code <input></label><button>Verify</button>", "code"],
    ["a code by its name", "<input name=otpCode inputmode=numeric>", "code"],
    ["a code of single characters", "<input maxlength=1>".repeat(6), "code"],
    ["a code in German", "<label>Bestätigungscode <input></label>", "code"],
    ["nothing with a search", "<form role=search><input type=search name=q><button>Search</button></form>", undefined],
    [
      "nothing with a postal code",
      "<label>Postal code <input name=zip></label><label>Promo code <input name=promo></label>",
      undefined,
    ],
    ["nothing that is hidden", `<div hidden>${login}<input autocomplete=one-time-code></div>`, undefined],
    ["nothing where the code is there", "<input autocomplete=one-time-code value=123456>", undefined],
    [
      "nothing with a newsletter",
      "<form><label>E-mail <input type=email></label><button>Subscribe</button></form>",
      undefined,
    ],
  ])("%s", async (_, html, credential) => {
    await using place = await browsers.openPlace();
    await place.page.setContent(html);
    expect(await findCredential(place.page)).toBe(credential);
  });
});

test("a person is asked before the wrong page is read, and the right one is read then", async () => {
  await using place = await browsers.openPlace();
  const result = await work(place, `Open ${site.url}/wall and extract the table`, async () => {
    await place.page.goto(`${site.url}/in`);
    return done;
  });
  expect(result.messages).toEqual([expect.stringContaining("Log in on 127.0.0.1:")]);
  expect(result.work?.data).toEqual({ table: [{ Item: "Tea" }] });
  expect(result.work?.notes).toEqual([expect.stringContaining("A person was asked")]);
});

test("a person is asked when what is to be clicked is behind a login, and it is clicked then", async () => {
  await using place = await browsers.openPlace();
  const result = await work(place, `Open ${site.url}/wall, click Details`, async () => {
    await place.page.goto(`${site.url}/in`);
    return done;
  });
  expect([result.messages.length, result.error]).toEqual([1, ""]);
  expect(result.work?.steps.map(({ action }) => action)).toContain("click");
});

test("a function whose run had a person log in asks for that again", async () => {
  await using place = await browsers.openPlace();
  const record = createRecord([
    { action: "open", url: `${site.url}/wall` },
    { action: "click", target: { selectors: ["role=button[name='Details']"], label: 'button "Details"' } },
    { action: "extract", name: "table", what: { kind: "table" } },
  ]);
  const records: unknown[] = [];
  const messages: string[] = [];
  const worker = new FunctionWorker(record, {}, { keep: (healed) => records.push(healed) });
  const result = await worker.work("", {
    ...place.workplace,
    askPerson: async (message) => {
      messages.push(message);
      await place.page.goto(`${site.url}/in`);
      return done;
    },
  });
  expect([messages.length, records]).toEqual([1, []]);
  expect(result).toMatchObject({ data: { table: [{ Item: "Tea" }] }, steps: record.steps });
  expect(result.notes).toEqual([expect.stringContaining("A person was asked")]);
});

test.each([
  ["a page with a login in its head is read, and clicked", "/head and extract the text, click Next"],
  ["what the task gives is filled in", "/wall, fill User with Anna, fill Password with secret"],
  ["a page without any login fails as it did", "/next, click Details"],
])("nobody is asked where %s", async (_, task) => {
  await using place = await browsers.openPlace();
  const result = await work(place, `Open ${site.url}${task}`, async () => done);
  expect(result.messages).toEqual([]);
});

test.each<[PersonAnswer, RegExp]>([
  [{ answer: "declined", note: "not mine" }, /wants a login.*declined: not mine/u],
  [{ answer: "expired", note: null }, /wants a login.*did not answer in time/u],
])("a task fails when a person answers %o", async (answer, why) => {
  await using place = await browsers.openPlace();
  for (const task of ["extract the text", "click Details"]) {
    const result = await work(place, `Open ${site.url}/wall, ${task}`, async () => answer);
    expect([result.messages.length, result.work]).toEqual([1, undefined]);
    expect(result.error).toMatch(why);
  }
});

test("a person who has not logged in is asked no second time for the same instruction", async () => {
  await using place = await browsers.openPlace();
  const result = await work(place, `Open ${site.url}/wall, click Details`, async () => done);
  expect([result.messages.length, result.work]).toEqual([1, undefined]);
});

test("each step is planned and performed for the page as a person has left it", async () => {
  await using place = await browsers.openPlace();
  let isHeld = false;
  const result = await work(place, `Open ${site.url}/wall, click Details`, async () => done, {
    // A person takes over after the page is open, and logs in.
    untilMayAct: async () => {
      if (isHeld || place.page.url() !== `${site.url}/wall`) return false;
      isHeld = true;
      await place.page.goto(`${site.url}/in`);
      return true;
    },
  });
  expect([result.messages, result.error, isHeld]).toEqual([[], "", true]);
});
