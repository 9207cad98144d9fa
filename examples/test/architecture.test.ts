import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const readText = (path: string): string => readFileSync(new URL(path, root), "utf8");

/** Files of each term in the table "Where is …". */
const rows = new Map(
  [
    ...(/^## Where is …\n([^]*?)^## /m.exec(readText("ARCHITECTURE.md"))?.[1] ?? "").matchAll(
      /^\| (.+?) +\| (.+?) +\|$/gm,
    ),
  ]
    .map(([, term = "", files = ""]) => [term, [...files.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path)] as const)
    .filter(([, files]) => files.length > 0),
);

/** Words that somebody searches for who knows the field, and how the files themselves spell them. */
const terms: Readonly<Record<string, RegExp>> = {
  "accessibility tree": /accessibility.tree/i,
  "back-pressure": /back-pressure|slow viewer/i,
  "circuit breaker": /circuit.?breaker/i,
  "cookie export": /cookies?/i,
  "DNS pinning": /dns.pinning/i,
  "DNS rebinding": /dns rebinding/i,
  "egress proxy": /egress.proxy/i,
  "HLS segments": /hls/i,
  idempotency: /idempoten/i,
  "key frame": /key frame/i,
  "OAuth scheme": /oauth/i,
  presigning: /presign/i,
  "rate limiting": /rate.?limit|token bucket/i,
  redaction: /redact/i,
  "retry policy": /retry.policy/i,
  screencast: /screencast/i,
  "session lease": /lease/i,
  fencing: /fence/i,
  "SSE framing": /server-sent events/i,
  "table extraction": /extracts? a table|table extraction/i,
  "tool calls": /tool.?call|calls? of a tool/i,
};

test.for(Object.entries(terms))('ARCHITECTURE leads from "%s" to files that say so', ([term, spelling]) => {
  const [, files = []] = [...rows].find(([words]) => words.split(", ").some((word) => word.startsWith(term))) ?? [];
  expect(files).not.toEqual([]);
  expect(files.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  expect(files.filter((path) => !spelling.test(`${path}\n${readText(path)}`))).toEqual([]);
});

test("every term of the table is one that is searched for", () => {
  const known = Object.keys(terms);
  const others = [...rows.keys()]
    .flatMap((words) => words.split(", "))
    .filter((word) => !known.some((term) => word.startsWith(term)));
  expect(others).toEqual([]);
});
