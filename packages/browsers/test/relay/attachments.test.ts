import { expect, test } from "vitest";
import type { ChannelCommand } from "../../src/devtools/devtools-channel.ts";
import { Attachments } from "../../src/relay/attachments.ts";
import { BrowserScope } from "../../src/relay/browser-scope.ts";
import { Upstream } from "../../src/relay/upstream.ts";

const most = 2_000;
const page = { targetId: "one", type: "page", title: "", url: "about:blank", attached: true, canAccessOpener: false };

test("the session limit of a connection counts pending sessions once", () => {
  const commands: ChannelCommand[] = [];
  const upstream = new Upstream((command) => commands.push(command));
  const settle = (id: number, answer: object): unknown =>
    upstream.onResponse(id, Buffer.from(JSON.stringify({ id, ...answer })));
  const attachments = new Attachments(upstream);
  const scope = new BrowserScope(undefined);
  let count = 0;
  for (; !attachments.isFull && count < most + 1; count += 1) attachments.attach(scope, page.targetId, false, () => {});
  expect(count).toBe(most);

  // The event of a session comes before the answer.
  for (const [index, { id }] of commands.entries()) {
    expect(attachments.attachedByBrowser({ sessionId: `s${index}`, targetInfo: page })).toBe(scope);
    expect(attachments.isFull).toBe(true);
    settle(id, { result: { sessionId: `s${index}` } });
    expect(attachments.isFull).toBe(true);
  }
  attachments.detached("s7");
  expect(attachments.isFull).toBe(false);

  attachments.attach(scope, "gone", false, () => {});
  expect(attachments.isFull).toBe(true);
  settle(commands.at(-1)?.id ?? 0, { error: { code: -32_602, message: "No target" } });
  expect(attachments.isFull).toBe(false);
});
