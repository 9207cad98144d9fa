import { expect, test } from "vitest";
import { Attachments } from "../src/cdp/attachments.ts";
import { BrowserScope } from "../src/cdp/browser-scope.ts";
import { Upstream } from "../src/cdp/upstream.ts";

const most = 2_000;
const page = { targetId: "one", type: "page", title: "", url: "about:blank", attached: true, canAccessOpener: false };

test("a connection may have as many sessions as the limit says, those on their way counted once, whatever they are attached to", () => {
  const asked: { id: number; method: string }[] = [];
  const upstream = new Upstream((text) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `Upstream` writes
    asked.push(JSON.parse(text) as { id: number; method: string });
  });
  const attachments = new Attachments(upstream);
  const scope = new BrowserScope(undefined);
  let count = 0;
  for (; !attachments.isFull && count < most + 1; count += 1) attachments.attach(scope, page.targetId, false, () => {});
  expect(count).toBe(most);

  // The event of a session comes before the answer.
  for (const [index, { id }] of asked.entries()) {
    expect(attachments.attachedByBrowser({ sessionId: `s${index}`, targetInfo: page })).toBe(scope);
    expect(attachments.isFull).toBe(true);
    upstream.settle({ id, result: { sessionId: `s${index}` } });
    expect(attachments.isFull).toBe(true);
  }
  attachments.detached("s7");
  expect(attachments.isFull).toBe(false);

  attachments.attach(scope, "gone", false, () => {});
  expect(attachments.isFull).toBe(true);
  upstream.settle({ id: asked.at(-1)?.id, error: { code: -32_602, message: "No target" } });
  expect(attachments.isFull).toBe(false);
});
