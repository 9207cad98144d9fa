import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SessionTokens } from "../../src/control/session-tokens.ts";
import { Session } from "../../src/sessions/session.ts";
import { startTestService, type TestService } from "../running-service.ts";

let running: TestService;
beforeAll(async () => void (running = await startTestService()));
afterAll(() => running?.[Symbol.asyncDispose]());

/** Address of the pictures of a session's screen. */
async function picturesOfSession(): Promise<string> {
  const { session_id: id } = await running.open();
  const secret = Buffer.from(readFileSync(join(running.data, "signing.secret"), "utf8"), "base64url");
  return `${running.service.url}/viewer/${id}/pictures?token=${new SessionTokens(secret).sign("view", id)}`;
}

test("a viewer that disconnects, or sent HEAD, does not count as watching", async () => {
  let watching = 0;
  // oxlint-disable-next-line typescript/unbound-method -- called with the session that it is a method of
  const { watch } = Session.prototype;
  using _ = vi.spyOn(Session.prototype, "watch").mockImplementation(function (this: Session, listener) {
    const forget = watch.call(this, listener);
    watching += 1;
    return () => {
      watching -= 1;
      forget();
    };
  });
  const address = await picturesOfSession();
  const reader = new AbortController();
  const { body } = await fetch(address, { signal: reader.signal });
  await body?.getReader().read();
  expect(watching).toBe(1);
  reader.abort();
  await expect.poll(() => watching).toBe(0);
  for (let times = 0; times < 3; times += 1) {
    expect((await fetch(address, { method: "HEAD" })).headers.get("content-type")).toMatch(/^multipart/);
  }
  await expect.poll(() => watching).toBe(0);
});
