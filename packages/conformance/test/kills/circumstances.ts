/** Circumstances in which a fault shows: what is true of a request, and of those before it. */
import { joinBody, isObject, listMembers, type ReceivedRequest, type Json } from "../targets/messages.ts";
import { runEndingIn } from "../targets/content.ts";
import { isStream } from "../targets/correct/correct-target.ts";
import { fieldReaders, type Service } from "../targets/service.ts";
import type { Subject } from "./breaker.ts";

/** Knowledge of a server about a run, at a request that could show its fault. */
export interface Seen {
  /** Number of this request among those that could show the fault, from 1. */
  readonly time: number;
  /** Number of such requests in a run. */
  readonly times: number;
  /** Runs that were started before. */
  readonly runs: number;
  /** True when the previous request, of whatever operation, was refused. */
  readonly afterRefusal: boolean;
  /** Requests that are being answered at the same time, with this one. */
  readonly underWay: number;
}

/** One circumstance. */
export interface Circumstance {
  /** In kebab-case. */
  readonly id: string;
  /** The end of a sentence about a fault. */
  readonly when: string;
  /** Subjects that it can hold for. */
  readonly subjects: readonly Subject[];
  /** Returns whether it holds now. */
  readonly holds: (request: ReceivedRequest, seen: Seen) => boolean;
  /** Correct behaviour of the service that it needs. Default: none. */
  readonly parts?: Partial<Service>;
  /** Runs that may be started. Default: 1. */
  readonly maxRuns?: number;
}

const reads: readonly Subject[] = ["cookies", "cookies-stranger", "replay", "replay-stranger"];
const posts: readonly Subject[] = ["scrape", "scrape-invalid", "scrape-stranger"];
const sessions: readonly Subject[] = [...posts, ...reads];
const refusedRuns: readonly Subject[] = ["run-stranger", "run-refused"];
const repeated: readonly Subject[] = [...sessions, ...refusedRuns];
const all: readonly Subject[] = [...repeated, "run"];

const circumstance = (
  id: string,
  when: string,
  subjects: readonly Subject[],
  holds: Circumstance["holds"],
): Circumstance => ({ id, when, subjects, holds });

const hasHeader =
  (name: string) =>
  (request: ReceivedRequest): boolean =>
    (request.headers[name] ?? "") !== "";

const inTime: readonly Circumstance[] = [
  circumstance("always", "always", all, () => true),
  circumstance("first", "the first time", repeated, (_, { time }) => time === 1),
  circumstance("last", "the last time of the run", repeated, (_, { time, times }) => time === times),
  circumstance("but-first", "every time but the first", repeated, (_, { time }) => time > 1),
  circumstance("every-second", "every second time", repeated, (_, { time }) => time % 2 === 0),
  circumstance("every-third", "every third time", repeated, (_, { time }) => time % 3 === 0),
  circumstance("late", "in the second half of the run", repeated, (_, { time, times }) => time > times / 2),
  circumstance("after-refusal", "after a request that was refused", repeated, (_, seen) => seen.afterRefusal),
  circumstance("after-run", "after a run was started", repeated, (_, { runs }) => runs > 0),
  circumstance("concurrent", "while another request is answered", sessions, (_, { underWay }) => underWay > 1),
];

const inForm: readonly Circumstance[] = [
  circumstance("kept", "on a connection that was used before", repeated, ({ onConnection }) => onConnection > 1),
  circumstance("origin", "for requests that tell their origin", sessions, hasHeader("x-service-request-origin")),
  circumstance(
    "version",
    "for requests that tell the version of their SDK",
    repeated,
    hasHeader("x-service-sdk-version"),
  ),
  circumstance("charset", "for a media type with a charset", [...posts, ...refusedRuns], ({ headers }) =>
    /charset/i.test(headers["content-type"] ?? ""),
  ),
  circumstance(
    "large",
    "for bodies of more than 32 KiB",
    [...posts, ...refusedRuns],
    ({ body }) => body.length > 32_768,
  ),
  circumstance("query", "for addresses with a query", [...sessions, ...refusedRuns], ({ query }) => query.size > 0),
  circumstance(
    "metadata-false",
    "when `update_metadata` is false",
    posts,
    ({ query }) => query.get("update_metadata") === "false",
  ),
  circumstance("several", "for bodies of more than three members", posts, (request) => listMembers(request).size > 3),
  circumstance("non-ascii", "for bodies with letters outside ASCII", [...posts, ...refusedRuns, "run"], ({ body }) =>
    /\P{ASCII}/u.test(body),
  ),
];

/** Values that a field of a page scrape may have, by a word for them. */
const classes: readonly (readonly [word: string, holds: (value: Json) => boolean])[] = [
  ["null", (value) => value === null],
  ["true", (value) => value === true],
  ["false", (value) => value === false],
  ["empty", (value) => value === "" || (Array.isArray(value) && value.length === 0)],
  ["text", (value) => typeof value === "string" && value !== ""],
  ["list", (value) => Array.isArray(value) && value.length > 0],
  ["object", isObject],
];

const fits: Readonly<Record<string, readonly string[]>> = {
  selector: ["null", "text"],
  instructions: ["null", "empty", "text"],
  ignored_tags: ["null", "empty", "list"],
  response_format: ["null", "object"],
};

const withOptions: readonly Circumstance[] = Object.keys(fieldReaders).flatMap((name) =>
  classes
    .filter(([word]) => (fits[name] ?? ["true", "false"]).includes(word))
    .map(([word, isSuch]) =>
      circumstance(`${name}-${word}`, `when \`${name}\` is ${word}`, ["scrape", "scrape-invalid"], (request) => {
        const value = listMembers(request).get(name);
        return value !== undefined && isSuch(value);
      }),
    ),
);

/** Correct forms of a stream, whatever its events say. */
const forms: readonly (readonly [id: string, when: string, parts: Partial<Service>])[] = [
  ["crlf", "in a stream whose lines end with CRLF", { writes: (event) => `data: ${JSON.stringify(event)}\r\n\r\n` }],
  ["cr", "in a stream whose lines end with CR", { writes: (event) => `data: ${JSON.stringify(event)}\r\r` }],
  ["no-blank-line", "in a stream without blank lines", { writes: (event) => `data: ${JSON.stringify(event)}\n` }],
  [
    "comments",
    "in a stream with comments, ids and names of events",
    {
      writes: (event) =>
        `: at work\nid: 7\nevent: ${JSON.stringify(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`,
    },
  ],
  [
    "white-space",
    "in a stream whose JSON has white space, and the type last",
    {
      writes: ({ type = null, ...event }) => {
        const members = JSON.stringify(event).slice(1, -1);
        const start = members === "" ? "" : `${members} ,`;
        return `data: { ${start} "type" :\t${JSON.stringify(type)} }  \n\n`;
      },
    },
  ],
  [
    "bytes",
    "in a stream that comes byte by byte",
    {
      revises: (answer) => ({
        ...answer,
        pieces: [...Buffer.from(joinBody(answer))].map((byte) => Uint8Array.of(byte)),
      }),
    },
  ],
  ["one-piece", "in a stream that comes at once", { revises: (answer) => ({ ...answer, pieces: [joinBody(answer)] }) }],
  [
    "mark",
    "in a stream that begins with a byte order mark",
    { revises: (answer) => (isStream(answer) ? { ...answer, pieces: ["\uFEFF", ...answer.pieces] } : answer) },
  ],
  [
    "long",
    "in a stream of five hundred events",
    {
      run: () => {
        const [first, rest] = [runEndingIn("done").slice(0, 6), runEndingIn("done").slice(6)];
        return [
          ...first,
          ...Array.from({ length: 500 }, (_, at) => ({ type: "text_delta", delta: `${at} 🛳️\u2028` })),
          ...rest,
        ];
      },
    },
  ],
];

/** Circumstances of the start of a run. */
const ofRuns: readonly Circumstance[] = [
  ...forms.map(([id, when, parts]): Circumstance => ({ id, when, parts, subjects: ["run"], holds: () => true })),
  { ...circumstance("first-of-two", "in the first of two runs", ["run"], (_, { time }) => time === 1), maxRuns: 2 },
  { ...circumstance("second-of-two", "in the second of two runs", ["run"], (_, { time }) => time === 2), maxRuns: 2 },
];

/** The table. */
export const circumstances: readonly Circumstance[] = [...inTime, ...inForm, ...withOptions, ...ofRuns];
