import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../running-service.ts";
import { passwordForms, readShown } from "./password-forms.ts";

let running: TestService;
beforeAll(async () => void (running = await startTestService()));
afterAll(() => running[Symbol.asyncDispose]());

test.each(passwordForms)("the password of a form that is sent by GET is in no record: %s", async (_, page) => {
  expect(await readShown(running, page)).toEqual({ address: "URL/in?who=me&FIELD=***", telling: [] });
});
