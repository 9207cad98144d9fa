import { afterAll, beforeAll, expect, test } from "vitest";
import { isPasswordField } from "../../src/snapshot/passwords.ts";
import { TestBrowsers } from "../functions/workplace.ts";

let browsers: TestBrowsers;

beforeAll(async () => {
  browsers = await TestBrowsers.start();
});

afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
});

/** Keeps the page busy for a time, in milliseconds. */
function keepBusy(ms: number): void {
  for (const began = Date.now(); Date.now() - began < ms;);
}

test.each([
  ["Town", false],
  ["Password", true],
])("a busy page is waited for until it says whether %s is a password: %s", async (label, isPassword) => {
  await using place = await browsers.openPlace();
  await place.page.setContent("<label>Town <input></label><label>Password <input type=password></label>");
  const busy = place.page.evaluate(keepBusy, 3_000);
  expect(await isPasswordField(place.page.getByLabel(label))).toBe(isPassword);
  await busy;
});

test("a field that is gone is no password, but an error", async () => {
  await using place = await browsers.openPlace();
  const stop = AbortSignal.timeout(60_000);
  const check = isPasswordField(place.page.getByLabel("Town"), stop);
  await place.page.close();
  await expect(check).rejects.toMatchObject({ code: "step_failed" });
});

test("a run that is stopped waits no longer", async () => {
  await using place = await browsers.openPlace();
  const stop = new AbortController();
  const check = isPasswordField(place.page.getByLabel("Town"), stop.signal);
  stop.abort(new Error("stopped"));
  await expect(check).rejects.toThrow("stopped");
});
