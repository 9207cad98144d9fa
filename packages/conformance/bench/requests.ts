/** The requests by hand that are given to the suites which bring none of their own: the same to each of them. */
import type { Json } from "../test/targets/messages.ts";
import { endedSession, openSession } from "./suite.ts";

/** What has to come back. */
export type ExpectedAnswer = "scrape" | "cookies" | "replay" | "stream" | "invalid" | "refused" | 400 | 401;

/** One request. */
export interface HandRequest {
  readonly name: string;
  readonly operation: "page_scrape" | "session_cookies" | "session_replay" | "automation_start";
  readonly key?: "none" | "wrong";
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent as it is, and said to be JSON. */
  readonly text?: string;
  readonly expects: ExpectedAnswer;
}

/** Where each operation is, with the method. */
export const addresses = {
  page_scrape: ["POST", `/sessions/${openSession}/page/scrape`],
  session_cookies: ["GET", `/sessions/${openSession}/cookies`],
  session_replay: ["GET", `/sessions/${endedSession}/replay`],
  automation_start: ["POST", "/api/automation/start"],
} as const;

const scrape = (name: string, body: Json, expects: ExpectedAnswer = "invalid"): HandRequest => ({
  name: `scrape-${name}`,
  operation: "page_scrape",
  body,
  expects,
});

const query: Json = { query: "Find the departure time of the next ferry from pier 3." };

const everything: Json = {
  selector: "main",
  scrape_links: false,
  scrape_images: true,
  ignored_tags: ["script", "style"],
  only_main_content: true,
  only_images: false,
  response_format: { type: "object", properties: { title: { type: "string" } } },
  instructions: "Only the first table.",
  use_link_placeholders: true,
};
const nulls: Json = { selector: null, ignored_tags: null, response_format: null, instructions: null };

const strangers = (["none", "wrong"] as const).flatMap((key): HandRequest[] => [
  { name: `scrape-with-key-${key}`, operation: "page_scrape", key, body: { scrape_links: true }, expects: "refused" },
  { name: `cookies-with-key-${key}`, operation: "session_cookies", key, expects: "refused" },
  { name: `replay-with-key-${key}`, operation: "session_replay", key, expects: "refused" },
  { name: `automation-with-key-${key}`, operation: "automation_start", key, body: query, expects: 401 },
]);

/** All of them. */
export const handRequests: readonly HandRequest[] = [
  scrape("with-a-default", { scrape_links: true }, "scrape"),
  scrape("with-everything", everything, "scrape"),
  scrape("with-nulls", nulls, "scrape"),
  { name: "cookies", operation: "session_cookies", expects: "cookies" },
  { name: "replay", operation: "session_replay", expects: "replay" },
  { name: "automation", operation: "automation_start", body: query, expects: "stream" },
  scrape("with-an-unknown-property", { unknown_property: 1 }),
  scrape("with-a-list", []),
  { name: "scrape-that-is-no-json", operation: "page_scrape", text: "{", expects: "invalid" },
  scrape("with-selector-of-another-type", { selector: {} }),
  scrape("with-instructions-of-another-type", { instructions: {} }),
  scrape("with-ignored-tags-of-another-type", { ignored_tags: {} }),
  scrape("with-ignored-tags-of-another-element", { ignored_tags: [{}] }),
  ...["scrape_links", "scrape_images", "only_main_content", "only_images", "use_link_placeholders"].flatMap((field) => [
    scrape(`with-${field}-of-another-type`, { [field]: {} }),
    scrape(`with-${field}-null`, { [field]: null }),
  ]),
  { name: "automation-without-a-query", operation: "automation_start", body: { task: "x" }, expects: 400 },
  { name: "automation-that-is-no-json", operation: "automation_start", text: "{", expects: 400 },
  ...strangers,
];

/** What a suite that looks at a stream with a regular expression is given to look for. */
export const terminalEvent = '"type"\\s*:\\s*"(done|error|timeout|cancelled)"';
