import { expect, test } from "vitest";
import { composedCredentialProbes } from "../../src/checks/authentication/credential-grammar.ts";
import { authenticationProbes } from "../../src/checks/authentication/authentication.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { makeOutgoing } from "../../src/http/transport.ts";
import { createRedact } from "../../src/redaction/redact.ts";
import { recordExchange } from "../../src/report/recorded-exchange.ts";
import { liveTarget } from "../../src/run/live-target.ts";

const apiKey = "sk-7f3Qm9ZxT2vB8nLw4KcR6yHd";
const target = liveTarget({ baseUrl: "http://127.0.0.1:9", apiKey, sessionId: "one" });

/** Every text of at least so many characters of the key is a piece of it. */
const piece = 10;
const pieces = Array.from({ length: apiKey.length - piece + 1 }, (_, at) => apiKey.slice(at, at + piece));

/** A text, and what stands in it in base64. */
function readings(text: string): string[] {
  const encoded = text.match(/[\w+/=-]{12,}/g) ?? [];
  return [text, decodeURIComponent(text), ...encoded.map((part) => Buffer.from(part, "base64").toString("latin1"))];
}

test.for([...authenticationProbes, ...composedCredentialProbes])(
  "the report of $id holds nothing of the key",
  (probe) => {
    const { id, operation, plan, url, expects, headers } = makeOutgoing(target, probe);
    const echoed = [url, ...Object.values(headers)].join("\n");
    const exchange: Exchange = {
      id,
      operation,
      expects,
      url,
      plan,
      requestHeaders: headers,
      startedAt: new Date(0),
      durationMs: 1,
      // Some servers quote what they turn down.
      response: {
        status: 401,
        headers: [["content-type", "text/plain"]],
        chunks: [{ atMs: 1, bytes: Buffer.from(echoed) }],
        end: "complete",
      },
    };
    const redact = createRedact(apiKey);
    const texts = readings(JSON.stringify(recordExchange(exchange, redact, redact)));
    expect(pieces.filter((one) => texts.some((text) => text.includes(one)))).toEqual([]);
  },
);

test("the grammar has about two dozen requests for each operation, and only the automation's are last", () => {
  const operations = composedCredentialProbes.map(({ operation }) => operation);
  const counts = [...Map.groupBy(operations, (one) => one).values()].map(({ length }) => length);
  expect(counts).toHaveLength(4);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(20);
  expect(Math.max(...counts)).toBeLessThanOrEqual(40);
  expect(operations.indexOf("automation_start")).toBe(
    operations.length - operations.filter((one) => one === "automation_start").length,
  );
});
