/** Page scrapes that are not valid, and answers to them that break a sentence. */
import { isObject, json, listMembers, type ReceivedRequest, type Fields, type Json } from "../../targets/messages.ts";
import { markdown } from "../../targets/content.ts";
import { fieldReaders } from "../../targets/service.ts";
import {
  breaking,
  changedAt,
  kindsBut,
  addWord,
  noJson,
  together,
  where,
  withField,
  type Breaker,
  type Ways,
} from "../breaker.ts";
import { type Change, inJson, other, status } from "../../targets/parts.ts";

/** A fault of a request that the interface states. */
interface Fault {
  /** The sentence that the request breaks. */
  readonly requirement: string;
  /** In which way. */
  readonly kind: string;
}

/** A sentence that is inferred. */
const notNull = "scrape.request.boolean-not-null";
const texts = ["selector", "instructions"];
const isWord = (value: Json): boolean =>
  typeof value === "string" && /^(true|false|1|0|yes|no|on|off|t|f|y|n)?$/i.test(value.trim());

/** In which way a value is wrong; undefined when it is right, or when that is left open. */
function findKind(name: string, value: Json): string | undefined {
  if (Array.isArray(value)) return value.length === 1 ? undefined : "a-list";
  if (isObject(value)) return "an-object";
  if (value === null) return texts.includes(name) ? undefined : "null";
  if (texts.includes(name)) return undefined;
  return typeof value === "string" && !isWord(value) ? "a-word" : undefined;
}

function listFaults(name: string, value: Json): Fault[] {
  const requirement = `scrape.request.${name}.type`;
  if (!Object.hasOwn(fieldReaders, name)) return [{ requirement: "scrape.unknown-property-rejected", kind: "unknown" }];
  if (name === "response_format") return [];
  if (name === "ignored_tags") {
    if (isObject(value)) return [{ requirement, kind: "an-object" }];
    const elements = Array.isArray(value) ? value : [];
    return elements.flatMap((element, at): Fault[] => {
      const kind =
        element === null ? "null" : Array.isArray(element) ? "a-list" : isObject(element) ? "an-object" : undefined;
      const place = at === 0 ? "first" : "later";
      return kind === undefined ? [] : [{ requirement: "scrape.request.ignored_tags.items", kind: `${place}-${kind}` }];
    });
  }
  const kind = findKind(name, value);
  if (kind === "null") return [{ requirement: notNull, kind: `${kind}-for-${name}` }];
  return kind === undefined ? [] : [{ requirement, kind }];
}

/** Everything that is stated to be wrong with a page scrape. */
function faultsIn(request: ReceivedRequest): Fault[] {
  const metadata = request.query.get("update_metadata");
  const inQuery = metadata !== null && !isWord(metadata);
  const missing = request.body === "" && request.headers["content-type"] === undefined;
  return [
    ...(inQuery ? [{ requirement: "scrape.update_metadata.type", kind: "a-word" }] : []),
    ...(missing ? [{ requirement: "scrape.request.body-required", kind: "missing" }] : []),
    ...[...listMembers(request)].flatMap(([name, value]) => listFaults(name, value)),
  ];
}

const accept: Change = () => json(200, { markdown });

/** A service that takes what it must not. */
function taking(requirement: string, kinds: readonly string[]): Breaker[] {
  const word = requirement.replace(/^scrape\.(request\.)?/, "").replaceAll(/[._]/g, "-");
  return kinds.flatMap((kind) =>
    where(
      (request) => {
        const faults = faultsIn(request);
        return faults.length > 0 && faults.every((fault) => fault.requirement === requirement && fault.kind === kind);
      },
      breaking("scrape-invalid", requirement, { [`takes-${kind}-at-${word}`]: accept }),
    ),
  );
}

const booleans = ["scrape_links", "scrape_images", "only_main_content", "only_images", "use_link_placeholders"];

/** Invalid page scrapes that are taken. */
export const takenBreakers: readonly Breaker[] = [
  ...texts.flatMap((name) => taking(`scrape.request.${name}.type`, ["a-list", "an-object"])),
  ...booleans.flatMap((name) => taking(`scrape.request.${name}.type`, ["a-word", "a-list", "an-object"])),
  ...booleans.flatMap((name) => taking(notNull, [`null-for-${name}`])),
  ...taking("scrape.request.ignored_tags.type", ["an-object"]),
  ...taking(
    "scrape.request.ignored_tags.items",
    ["first", "later"].flatMap((place) => ["null", "a-list", "an-object"].map((kind) => `${place}-${kind}`)),
  ),
  ...taking("scrape.unknown-property-rejected", ["unknown"]),
  ...taking("scrape.request.body-required", ["missing"]),
  ...taking("scrape.update_metadata.type", ["a-word"]),
];

/** Returns whether the fault is the only possible reason for a refusal: neither the size nor the media type is. */
const isStated = (request: ReceivedRequest): boolean =>
  faultsIn(request).some(({ requirement }) => requirement !== notNull) &&
  request.body.length < 4_096 &&
  [undefined, "application/json"].includes(request.headers["content-type"]);

const problem: Fields = { loc: ["body", "selector"], msg: "wrong", type: "value_error" };
const three: readonly Fields[] = [problem, { ...problem, input: null }, { ...problem, ctx: {} }];
const ends = ["first", "last"] as const;

/** Three problems, one of which is changed. */
const problems = (place: (typeof ends)[number], change: (problem: Json) => Json): Change =>
  inJson(() => ({ detail: changedAt(three, place, change) }));

const problemKinds = (name: string, ...right: readonly string[]): Ways =>
  together(
    ...ends.map((place) =>
      kindsBut(`${name}-of-${place}-problem`, right, (to) => problems(place, (one) => withField(one, name, to))),
    ),
  );

const without = (name: string): Ways =>
  Object.fromEntries(
    ends.map((place) => [`${place}-problem-without-${name}`, problems(place, (one) => withField(one, name))]),
  );

const locItems: Ways = together(
  ...ends.map((place) =>
    kindsBut(`part-of-${place}-loc`, ["a-string", "a-number"], (to) =>
      problems(place, (one) => withField(one, "loc", ["body", to, "selector"])),
    ),
  ),
);

const detail = "validation-error.detail";

/** Answers to invalid page scrapes that are not as they should be. */
export const validationBreakers: readonly Breaker[] = [
  ...where(
    isStated,
    breaking("scrape-invalid", "scrape.422", {
      "invalid-scrape-answers-400": status(400),
      "invalid-scrape-answers-500": status(500),
      "invalid-scrape-answers-409": status(409),
      "invalid-scrape-answers-404": status(404),
    }),
  ),
  ...breaking("scrape-invalid", "scrape.422-body", {
    ...addWord("validation-error", noJson),
    "validation-error-is-a-list": inJson((body) => (isObject(body) ? (body["detail"] ?? []) : [])),
    "validation-error-is-a-string": inJson(() => "invalid"),
    "validation-error-is-null": inJson(() => null),
  }),
  ...breaking("scrape-invalid", `${detail}.required`, {
    "detail-is-missing": inJson(() => ({})),
    "detail-is-called-errors": inJson((body) => ({ errors: isObject(body) ? (body["detail"] ?? []) : [] })),
  }),
  ...breaking(
    "scrape-invalid",
    detail,
    kindsBut("detail", ["a-list"], (to) => inJson((body) => other(body, { detail: to }))),
  ),
  ...breaking(
    "scrape-invalid",
    `${detail}.items`,
    together(...ends.map((place) => kindsBut(`${place}-problem`, ["an-object"], (to) => problems(place, () => to)))),
  ),
  ...breaking("scrape-invalid", "validation-error.loc.required", without("loc")),
  ...breaking("scrape-invalid", "validation-error.loc", { ...problemKinds("loc", "a-list"), ...locItems }),
  ...breaking("scrape-invalid", "validation-error.msg.required", without("msg")),
  ...breaking("scrape-invalid", "validation-error.msg", problemKinds("msg", "a-string")),
  ...breaking("scrape-invalid", "validation-error.type.required", without("type")),
  ...breaking("scrape-invalid", "validation-error.type", problemKinds("type", "a-string")),
  ...breaking("scrape-invalid", "validation-error.ctx", problemKinds("ctx", "an-object")),
];
