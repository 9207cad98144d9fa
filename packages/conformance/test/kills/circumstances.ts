/** The circumstances in which each sentence is broken: what is true of a request, and of those before it. */
import { every, later, origin, version, type Circumstance } from "../targets/circumstances.ts";
import { markByteOrder, text } from "../targets/changes.ts";
import { isFalse, isList, isNull, isText, isTrue } from "../targets/conditions.ts";
import { isStream } from "../targets/correct/correct-target.ts";
import { isObject, joinBody, listMembers, type Json, type Subject } from "../targets/messages.ts";
import { reviseAll, run, writes } from "../targets/parts.ts";
import { fieldReaders, type Parts } from "../targets/service.ts";

/** A circumstance of the table. */
export interface NamedCircumstance extends Circumstance {
  /** In kebab-case. */
  readonly id: string;
  /** Subjects that it can hold for. */
  readonly subjects: readonly Subject[];
}

const reads: readonly Subject[] = ["cookies", "cookies-stranger", "replay", "replay-stranger"];
const posts: readonly Subject[] = ["scrape", "scrape-invalid", "scrape-stranger"];
const sessions: readonly Subject[] = [...posts, ...reads];
const refusedRuns: readonly Subject[] = ["run-stranger", "run-refused"];
const repeated: readonly Subject[] = [...sessions, ...refusedRuns];
const withBody: readonly Subject[] = [...posts, ...refusedRuns];

type Row = readonly [id: string, when: string, holds: Circumstance["holds"]];

/** Lists circumstances of the same subjects. */
const list = (subjects: readonly Subject[], ...rows: readonly Row[]): NamedCircumstance[] =>
  rows.map(([id, when, holds]) => ({ id, when, subjects, holds }));

/** Gives a circumstance a name. */
const name = (id: string, subjects: readonly Subject[], circumstance: Circumstance): NamedCircumstance => ({
  ...circumstance,
  id,
  subjects,
});

const inTime: readonly NamedCircumstance[] = [
  ...list([...repeated, "run"], ["always", "always", () => true]),
  ...list(
    repeated,
    ["first", "the first time", (_, { time }) => time === 1],
    ["last", "the last time of the run", (_, { time, times }) => time === times],
    ["but-first", "every time but the first", (_, { time }) => time > 1],
  ),
  name("every-second", repeated, every(2)),
  name("every-third", repeated, every(3)),
  ...list(
    repeated,
    ["late", "in the second half of the run", (_, { time, times }) => time > times / 2],
    ["after-refusal", "after a request that was refused", (_, moment) => moment.afterRefusal],
    ["after-run", "after a run was started", (_, { runs }) => runs > 0],
  ),
  ...list(sessions, ["concurrent", "while another request is answered", (_, { underWay }) => underWay > 1]),
];

const inForm: readonly NamedCircumstance[] = [
  name("kept", repeated, later),
  name("origin", sessions, { ...origin, holds: ({ headers }) => Boolean(headers["x-service-request-origin"]) }),
  name("version", repeated, { ...version, holds: ({ headers }) => Boolean(headers["x-service-sdk-version"]) }),
  ...list(
    withBody,
    ["charset", "for a media type with a charset", ({ headers }) => /charset/i.test(headers["content-type"] ?? "")],
    ["large", "for bodies of more than 32 KiB", ({ body }) => body.length > 32_768],
  ),
  ...list([...sessions, ...refusedRuns], ["query", "for addresses with a query", ({ query }) => query.size > 0]),
  ...list(
    posts,
    ["metadata-false", "when `update_metadata` is false", ({ query }) => query.get("update_metadata") === "false"],
    ["several", "for bodies of more than three members", (request) => listMembers(request).size > 3],
  ),
  ...list(
    [...withBody, "run"],
    ["non-ascii", "for bodies with letters outside ASCII", ({ body }) => /\P{ASCII}/u.test(body)],
  ),
];

/** Values that a field of a page scrape may have, by a word for them. */
const classes: Readonly<Record<string, (value: Json) => boolean>> = {
  null: isNull,
  true: isTrue,
  false: isFalse,
  empty: (value) => value === "" || (isList(value) && value.length === 0),
  text: isText(/[^]/),
  list: (value) => isList(value) && value.length > 0,
  object: isObject,
};

const fits: Readonly<Record<string, readonly string[]>> = {
  selector: ["null", "text"],
  instructions: ["null", "empty", "text"],
  ignored_tags: ["null", "empty", "list"],
  response_format: ["null", "object"],
};

const withOptions = Object.keys(fieldReaders).flatMap((field) =>
  (fits[field] ?? ["true", "false"]).flatMap((word) =>
    list(
      ["scrape", "scrape-invalid"],
      [
        `${field}-${word}`,
        `when \`${field}\` is ${word}`,
        (request) => {
          const value = listMembers(request).get(field);
          return value !== undefined && classes[word]?.(value) === true;
        },
      ],
    ),
  ),
);

/** Writes the type last, and white space around it. */
const writeTypeLast = ({ type = null, ...event }: Record<string, Json>): string => {
  const members = JSON.stringify(event).slice(1, -1);
  return `data: { ${members === "" ? "" : `${members} ,`} "type" :\t${JSON.stringify(type)} }  \n\n`;
};

/** Correct forms of a stream, whatever its events say. */
const forms: readonly (readonly [id: string, when: string, parts: Parts])[] = [
  ["crlf", "in a stream whose lines end with CRLF", writes((data) => `data: ${data}\r\n\r\n`)],
  ["cr", "in a stream whose lines end with CR", writes((data) => `data: ${data}\r\r`)],
  ["no-blank-line", "in a stream without blank lines", writes((data) => `data: ${data}\n`)],
  [
    "comments",
    "in a stream with comments, ids and names of events",
    writes((data, { type }) => `: at work\nid: 7\nevent: ${JSON.stringify(type)}\ndata: ${data}\n\n`),
  ],
  [
    "white-space",
    "in a stream whose JSON has white space, and the type last",
    writes((_, event) => writeTypeLast(event)),
  ],
  [
    "bytes",
    "in a stream that comes byte by byte",
    reviseAll((answer) => ({
      ...answer,
      pieces: [...Buffer.from(joinBody(answer))].map((byte) => Uint8Array.of(byte)),
    })),
  ],
  ["one-piece", "in a stream that comes at once", reviseAll(text((body) => body))],
  ["mark", "in a stream that begins with a byte order mark", reviseAll(markByteOrder, (_, answer) => isStream(answer))],
  [
    "long",
    "in a stream of five hundred events",
    run((all) => [
      ...all.slice(0, 6),
      ...Array.from({ length: 500 }, (_, at) => ({ type: "text_delta", delta: `${at} 🛳️\u2028` })),
      ...all.slice(6),
    ]),
  ],
];

/** Circumstances of the start of a run. */
const ofRuns: readonly NamedCircumstance[] = [
  ...forms.map(([id, when, parts]): NamedCircumstance => ({ id, when, parts, subjects: ["run"], holds: () => true })),
  ...list(
    ["run"],
    ["first-of-two", "in the first of two runs", (_, { time }) => time === 1],
    ["second-of-two", "in the second of two runs", (_, { time }) => time === 2],
  ).map((circumstance) => Object.assign(circumstance, { maxRuns: 2 })),
];

/** The table. */
export const circumstances: readonly NamedCircumstance[] = [...inTime, ...inForm, ...withOptions, ...ofRuns];
