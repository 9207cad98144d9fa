import type { Probe } from "../../http/probe.ts";
import { planStart } from "../../http/request-plan.ts";
import type { Operation } from "../../contract/contract.ts";
import { atTheEnd, onKeptConnection, type Repetition } from "../repetitions.ts";
import { everyOptionalHeader } from "../scrape/scrape-probe.ts";

const operation: Operation = "automation_start";

/** One request with the key that starts no run on a target that conforms. */
export interface RunlessRequest {
  readonly word: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly queryString?: string;
  readonly sending?: Repetition["sending"];
  /** False for a body that is not JSON: mocks do not validate it, or never answer it. Default: true. */
  readonly isJson?: boolean;
}

const task = '"Open about:blank and finish."';

/** Bodies without `query` that have other fields: whether those may be there is not shown. */
export const withOtherFields: readonly RunlessRequest[] = [
  { word: "with-other-fields", body: '{"task":"Open about:blank","url":"about:blank","session_id":null}' },
  { word: "with-near-names", body: '{"queries":"Open about:blank","quer":"Open about:blank","query_text":"x"}' },
  { word: "with-inherited-names", body: '{"__proto__":{},"constructor":"Open about:blank","toString":"x"}' },
];

/** Bodies that have `query` in another place or spelling: a server that starts a run for one of them bills it. */
export const disguised: readonly RunlessRequest[] = Object.entries({
  capital: `{"Query":${task}}`,
  nested: `{"data":{"query":${task}}}`,
  inherited: `{"__proto__":{"query":${task}}}`,
  capitals: `{"QUERY":${task}}`,
  spaced: `{" query ":${task}}`,
  dotted: `{"data.query":${task},"body[query]":${task}}`,
  listed: `{"tasks":[{"query":${task}}]}`,
  worded: '{"task":"query=Open about:blank"}',
}).map(([word, body]) => ({ word: `with-${word}-query`, body }));

/** JSON bodies that are not objects, so that they have no field `query`: the status of their refusal is left open. */
export const noObjects: readonly RunlessRequest[] = Object.entries({
  "a-text": '"about:blank"',
  "a-list": `[{"query":${task}}]`,
  "a-list-of-texts": '["about:blank"]',
  null: "null",
  "a-number": "7",
}).map(([word, body]) => ({ word: `with-${word}-as-body`, body }));

const nameBrokenBodies = (bodies: Readonly<Record<string, string>>): RunlessRequest[] =>
  Object.entries(bodies).map(([word, body]) => ({ word, body, isJson: false }));

/** Bodies that are not JSON, and have no `query` for a lenient parser: 400 is right in both cases. */
export const brokenJson: readonly RunlessRequest[] = nameBrokenBodies({
  "with-words": "open about:blank, please",
  "with-single-quotes": "{'task': 'Open about:blank'}",
  "with-trailing-comma": '{"task": "Open about:blank",}',
  "with-two-values": "{} {}",
  "with-broken-json": '{"query": "Open about:blank"',
});

/** Bodies that are not JSON, and have a `query` for a lenient parser. */
export const lenientJson: readonly RunlessRequest[] = nameBrokenBodies({
  "with-query-in-single-quotes": "{'query': 'Open about:blank and finish.'}",
  "with-query-and-trailing-comma": `{"query":${task},}`,
  "with-query-without-quotes": `{query:${task}}`,
  "with-query-and-comment": `{/* the task */"query":${task}}`,
  "with-query-and-line-comment": `{"query":${task} // the task\n}`,
  "with-query-and-more": `{"query":${task}}}`,
  "with-query-after-words": `task: {"query":${task}}`,
  "with-query-and-nan": `{"query":${task},"timeout":NaN}`,
  "with-query-and-undefined": `{"query":${task},"timeout":undefined}`,
  "with-query-and-octal": `{"query":${task},"timeout":017}`,
  "with-query-and-raw-line-break": '{"query":"Open about:blank\nand finish."}',
  "with-query-and-unknown-escape": String.raw`{"query":"Open about:blank \x41nd finish."}`,
  "with-query-as-form": "query=Open+about%3Ablank",
  "with-query-as-yaml": "query: Open about:blank and finish.",
});

/** A text larger than 64 KiB, a common buffer size. */
const largeText = "x".repeat(66_000);
const utf8 = { "content-type": "application/json; charset=utf-8" };
const anyQueryString = "?conformance_unknown=1";

/** Requests that may be refused for a second reason: limits of payload size, charsets and query parameters are not shown. */
export const doublyInvalid: readonly RunlessRequest[] = [
  { word: "without-query-and-charset", body: '{"task":"Åpne about:blank 🛳️"}', headers: utf8 },
  { word: "without-query-and-large", body: `{"task":"${largeText}"}` },
  { word: "without-query-at-address-with-query-string", body: "{}", queryString: anyQueryString },
];
export const doublyInvalidBroken: readonly RunlessRequest[] = [
  { word: "with-broken-json-and-charset", body: '{"task":"Åpne about:blank 🛳️"', headers: utf8, isJson: false },
  { word: "with-broken-json-and-large", body: `{"task":"${largeText}"`, isJson: false },
  { word: "with-broken-json-at-address-with-query-string", body: "{", queryString: anyQueryString, isJson: false },
];

export const withHeaders: RunlessRequest = {
  word: "without-query-and-headers",
  body: "{}",
  headers: everyOptionalHeader,
};
const times = [2];
export const plain: RunlessRequest = { word: "without-query", body: "{}" };
export const plainBroken: RunlessRequest = {
  word: "with-broken-json",
  body: '{"query": "Open about:blank"',
  isJson: false,
};

const addWord = (request: RunlessRequest, word: string): RunlessRequest => ({
  ...request,
  word: `${request.word}-${word}`,
});

export const repeat = (request: RunlessRequest): RunlessRequest[] =>
  times.map((time) => addWord(request, `again-${time}`));

const sendAt = (request: RunlessRequest, { word, sending }: Repetition): RunlessRequest => ({
  ...addWord(request, word),
  sending,
});

/** Returns the request in each kind of repetition. */
export const listRepetitions = (request: RunlessRequest): RunlessRequest[] =>
  [onKeptConnection, atTheEnd].map((repetition) => sendAt(request, repetition));

function makeProbe({ word, body, headers, queryString = "", sending, isJson = true }: RunlessRequest): Probe {
  return {
    id: `automation/${word}`,
    operation,
    needs: isJson ? [] : ["reads-any-body"],
    expects: "refusal",
    ...sending,
    request: () =>
      planStart({ path: `/api/automation/start${queryString}`, body, ...(headers === undefined ? {} : { headers }) }),
  };
}

/** Invalid automation requests, without the repeated ones. */
export const refusedAutomationProbes: readonly Probe[] = [
  ...withOtherFields,
  plain,
  ...repeat(plain),
  withHeaders,
  ...brokenJson,
  ...repeat(plainBroken),
  ...doublyInvalid,
  ...doublyInvalidBroken,
  ...disguised,
  ...noObjects,
  ...lenientJson,
].map(makeProbe);

/** Repeated invalid automation requests: one without `query`, and one that is not JSON. */
export const listRefusedProbes = (repetition: Repetition): Probe[] =>
  [plain, plainBroken].map((request) => makeProbe(sendAt(request, repetition)));
