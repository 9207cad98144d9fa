import { describe, expect, test } from "vitest";
import { runConformance } from "../../src/run/run-conformance.ts";
import { scrapeFields } from "../../src/contract/request-fields.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import {
  answered,
  blamed,
  cookiesRead,
  everyTime,
  gives,
  isCookies,
  isScrape,
  keyless,
  members,
  scraped,
  wrongKey,
} from "./sometimes.ts";
import { apiKey, endedSessionId, json, sessionId, startServer, type Alter } from "../server.ts";

const limits = { closeGraceMs: 150 };
const known = new Set(scrapeFields.map(({ name }) => name));
const failed = (): ReturnType<typeof json> => json(500, {});

/** Faults that show in many requests, and have one cause: no more than the sentence about it may be blamed. */
const faults: readonly { readonly name: string; readonly requirement: string; readonly alter: Alter }[] = [
  {
    name: "answers 400 to each scrape that fails validation",
    requirement: "scrape.422",
    alter: (answer) => (answer.status === 422 ? { ...answer, status: 400 } : answer),
  },
  {
    name: "fails at every scrape",
    requirement: "scrape.status-200",
    alter: gives(failed, isScrape, answered(200))(),
  },
  {
    name: "fails at every scrape with a selector",
    requirement: "scrape.request.selector.type",
    alter: gives(failed, isScrape, answered(200), (request) => members(request).has("selector"))(),
  },
  {
    name: "takes no null for `instructions`",
    requirement: "scrape.request.instructions.type",
    alter: gives(blamed("instructions"), isScrape, (request) => members(request).get("instructions") === null)(),
  },
  {
    name: "takes every unknown property",
    requirement: "scrape.unknown-property-rejected",
    alter: gives(scraped, isScrape, answered(422), (request) =>
      [...members(request).keys()].some((name) => !known.has(name)),
    )(),
  },
  {
    name: "takes null for a boolean",
    requirement: "scrape.request.only_images.type",
    alter: gives(scraped, isScrape, (request) => members(request).get("only_images") === null, answered(422))(),
  },
  {
    name: "lets everybody scrape",
    requirement: "scrape.requires-authentication",
    alter: gives(scraped, isScrape, answered(403))(),
  },
  {
    name: "lets those without a key read cookies",
    requirement: "cookies.requires-authentication",
    alter: gives(cookiesRead, isCookies, keyless)(),
  },
  {
    name: "lets those with a wrong key read cookies",
    requirement: "cookies.requires-authentication",
    alter: gives(cookiesRead, isCookies, wrongKey)(),
  },
  {
    name: "fails at every cookies read",
    requirement: "cookies.status-200",
    alter: everyTime(1, failed, isCookies, answered(200))(),
  },
  {
    name: "takes a scrape without a body",
    requirement: "scrape.request.body-required",
    alter: gives(scraped, isScrape, answered(422), ({ body }) => body === "")(),
  },
  {
    name: "takes a scrape that is not JSON",
    requirement: "scrape.request.body-is-json",
    alter: gives(
      scraped,
      isScrape,
      answered(422),
      ({ body }) => body !== "" && !body.trimEnd().endsWith("}") && !/^[[\d"nt]/.test(body),
    )(),
  },
];

describe("one cause is told by one requirement: a server that", () => {
  test.for(faults)("$name", async ({ requirement, alter }) => {
    await using server = await startServer(alter);
    const target = liveTarget({ baseUrl: server.url, apiKey, sessionId, endedSessionId });
    const report = await runConformance(target, { limits });
    const findings = report.checks.flatMap((check) => check.findings);
    expect(new Set(findings.map((finding) => finding.requirement))).toEqual(new Set([requirement]));
    expect(report.verdict).toBe("not-conforming");
  });
});
