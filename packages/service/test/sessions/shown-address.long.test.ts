import { afterAll, beforeAll, test } from "vitest";
import { startTestService, type TestService } from "../running-service.ts";
import { expectNoPassword, passwordForms } from "./password-forms.ts";

let running: TestService;
beforeAll(async () => void (running = await startTestService()));
afterAll(() => running[Symbol.asyncDispose]());

test.each(passwordForms)("the password of a form that is sent by GET is in no record: %s", async (_, page) =>
  expectNoPassword(running, page),
);
