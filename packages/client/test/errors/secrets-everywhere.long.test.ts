import { inspect } from "node:util";
import { expect, test } from "vitest";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";
import { redactKeys } from "../../src/errors/redaction.ts";
import { createCloudBrowser } from "../../src/index.ts";

const baseUrl = "https://service.example";
const getHex = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, "0");
const getPercent = (unit: string): string => `%${unit.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Ways to write a text: those of writers of JSON, of addresses and of forms, and these within each other. */
const writings: Record<string, (text: string) => string> = {
  "as it is": (text) => text,
  "Go and Gson": (text) => text.replace(/[<>&='+/]/g, (unit) => `\\u${getHex(unit)}`),
  ".NET": (text) => text.replace(/[^\w.-]/g, (unit) => `\\u${getHex(unit).toUpperCase()}`),
  PHP: (text) => text.replaceAll("/", "\\/"),
  "escapes only": (text) => text.replace(/[^]/g, (unit) => `\\u${getHex(unit)}`),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify({ a: text })),
  "escapes in JSON": (text) => JSON.stringify({ a: text.replace(/[^]/g, (unit) => `\\u${getHex(unit)}`) }),
  "JSON in JSON in JSON": (text) => JSON.stringify(JSON.stringify(JSON.stringify({ a: text.replaceAll("/", "\\/") }))),
  "a form": (text) => `a=${encodeURIComponent(text)}&b=1`,
  "a form in lower case": (text) => `a=${encodeURIComponent(text).replace(/%../g, (unit) => unit.toLowerCase())}`,
  "percent only": (text) => text.replace(/[^]/g, getPercent),
  "percent in percent": (text) => encodeURIComponent(encodeURIComponent(text)),
  "percent in JSON": (text) => JSON.stringify({ url: `/x/${encodeURIComponent(text)}` }),
  "JSON in percent": (text) => encodeURIComponent(JSON.stringify({ key: text })),
  "one letter escaped": (text) => `\\u${getHex(text)}${text.slice(1)}`,
  "in quotes": (text) => `'${text}', "${text}"`,
};

/** What meets the client: a value that `fetch` throws. */
const places: Record<string, (text: string) => unknown> = {
  "a message": (text) => new Error(`no route: ${text} (tried twice)`),
  "a cause": (text) => new Error("outer", { cause: new TypeError(text) }),
  "a member": (text) => new AggregateError([new Error("a"), new Error(text)], "all failed"),
  "a cause that is text": (text) => new Error("outer", { cause: text }),
  "a code": (text) => Object.assign(new Error("outer"), { code: text }),
  "a name": (text) => Object.assign(new Error("outer"), { name: text }),
  "a text": (text) => text,
  "a property": (text) => Object.assign(new Error("outer"), { request: { headers: [text] } }),
};

const keys = ["k3y+of/the=canary", "canary_live.4f<&x>", "id:canary~tail/==", "canaryAndLettersOnly", "a'b(canary)*"];

/** Returns all that a text may mean: as it is, and after each order of two kinds of decoding, up to six times. */
function listMeanings(text: string): Set<string> {
  const all = new Set([text]);
  for (const each of all) {
    if (all.size > 60) break;
    all.add(
      each.replace(/\\+u([\da-f]{4})|\\+(["/\\])/gi, (_, code?: string, letter?: string) =>
        code === undefined ? (letter ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
      ),
    );
    all.add(each.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))));
  }
  return all;
}

/** Calls with a key, and returns the error with all that it shows. */
async function callAndShow(apiKey: string, thrown: unknown): Promise<{ error: unknown; output: string }> {
  const notices: unknown[] = [];
  const note = (...args: unknown[]): void => void notices.push(...args);
  const logger = { debug: note, info: note, warn: note, error: note };
  const fetch = (): Promise<Response> => Promise.reject(thrown);
  const client = createCloudBrowser({ apiKey, baseUrl, retries: 0, fetch, logger });
  const error: unknown = await client.cookies("s1").catch((each: unknown) => each);
  const texts = [error, ...notices].map(
    (each) => inspect(each, { depth: 12, showHidden: true }) + JSON.stringify(each) + String(each),
  );
  return { error, output: texts.join("\n") };
}

const rows = Object.keys(writings).flatMap((writing) => Object.keys(places).map((place) => ({ writing, place })));

test("what the sweep looks for is found when it is shown", () => {
  for (const write of Object.values(writings))
    for (const key of keys) expect([...listMeanings(write(key))].some((text) => text.includes("canary"))).toBe(true);
});

test.for(rows)(`$place with a key, written as $writing, is shown by nothing (${keys.length} keys)`, async (row) => {
  for (const key of keys) {
    const text = writings[row.writing]?.(key) ?? "";
    const { error, output } = await callAndShow(key, places[row.place]?.(text));
    expect(error).toMatchObject({ name: "ClientError", code: "network" });
    expect([...listMeanings(output)].filter((each) => each.includes("canary"))).toEqual([]);
  }
});

test.for(["\\", "%", "%25", "\\u0041", "\\\\\\/", '\\"', "/?a=", "k3y"])(
  "a reason of %s again and again takes as long as sixteen small ones",
  (unit) => {
    const [small, large] = [unit.repeat(2 ** 12), unit.repeat(2 ** 16)];
    const redactSixteen = (): void => {
      for (let time = 0; time < 16; time++) redactKeys(small, keys);
    };
    redactSixteen(); // warms up
    // 1 when linear, 16 when quadratic; the best of three counts, as other work can only make it slower.
    let best = Infinity;
    for (let run = 0; run < 3 && best > 4; run++)
      best = Math.min(
        best,
        measureProcessorTime(() => redactKeys(large, keys)) / Math.max(1, measureProcessorTime(redactSixteen)),
      );
    expect(best).toBeLessThan(4);
  },
);
