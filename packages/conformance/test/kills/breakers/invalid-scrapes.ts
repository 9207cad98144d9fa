/** Page scrapes that are not valid, and answers to them that break a sentence. */
import { give, inJson, instead, inTurn, listStatuses, set } from "../../targets/changes.ts";
import type { Condition } from "../../targets/conditions.ts";
import { markdown } from "../../targets/content.ts";
import { breakAnswers, type AnswerFault } from "../../targets/fault.ts";
import { isObject, json, listMembers, type Fields, type Json, type ReceivedRequest } from "../../targets/messages.ts";
import { booleans, fieldReaders, texts } from "../../targets/service.ts";
import { addWord, list, noJson, setKinds, together, type Ways } from "../ways.ts";

/** A mistake of a request: the sentence that it breaks, and in which way. */
interface Mistake {
  readonly requirement: string;
  readonly kind: string;
}

/** A sentence that is inferred. */
const notNull = "scrape.request.boolean-not-null";
const isWord = (value: Json): boolean =>
  typeof value === "string" && /^(true|false|1|0|yes|no|on|off|t|f|y|n)?$/i.test(value.trim());

/** Returns the type of a value that is none of the simple ones but null; undefined for others. */
function findType(value: Json): string | undefined {
  if (Array.isArray(value)) return "a-list";
  if (isObject(value)) return "an-object";
  return value === null ? "null" : undefined;
}

/** In which way a value is wrong; undefined when it is right, or when that is left open. */
function findKind(name: string, value: Json): string | undefined {
  if (Array.isArray(value) && value.length === 1) return undefined;
  if (texts.includes(name)) return value === null ? undefined : findType(value);
  return findType(value) ?? (typeof value === "string" && !isWord(value) ? "a-word" : undefined);
}

function listMistakes(name: string, value: Json): Mistake[] {
  const requirement = `scrape.request.${name}.type`;
  if (!Object.hasOwn(fieldReaders, name)) return [{ requirement: "scrape.unknown-property-rejected", kind: "unknown" }];
  if (name === "response_format") return [];
  if (name === "ignored_tags") {
    if (isObject(value)) return [{ requirement, kind: "an-object" }];
    const elements = Array.isArray(value) ? value : [];
    return elements.flatMap((element, at): Mistake[] => {
      const kind = findType(element);
      const place = at === 0 ? "first" : "later";
      return kind === undefined ? [] : [{ requirement: "scrape.request.ignored_tags.items", kind: `${place}-${kind}` }];
    });
  }
  const kind = findKind(name, value);
  if (kind === "null") return [{ requirement: notNull, kind: `${kind}-for-${name}` }];
  return kind === undefined ? [] : [{ requirement, kind }];
}

/** Everything that is stated to be wrong with a page scrape. */
function findMistakes(request: ReceivedRequest): Mistake[] {
  const metadata = request.query.get("update_metadata");
  const inQuery = metadata !== null && !isWord(metadata);
  const missing = request.body === "" && request.headers["content-type"] === undefined;
  return [
    ...(inQuery ? [{ requirement: "scrape.update_metadata.type", kind: "a-word" }] : []),
    ...(missing ? [{ requirement: "scrape.request.body-required", kind: "missing" }] : []),
    ...[...listMembers(request)].flatMap(([name, value]) => listMistakes(name, value)),
  ];
}

const accept = instead(json(200, { markdown }));

/** A service that takes what it must not. */
function take(requirement: string, ...kinds: readonly string[]): AnswerFault[] {
  const word = requirement.replace(/^scrape\.(request\.)?/, "").replaceAll(/[._]/g, "-");
  const isAlone =
    (kind: string): Condition =>
    (request) => {
      const mistakes = findMistakes(request);
      return mistakes.length > 0 && mistakes.every((one) => one.requirement === requirement && one.kind === kind);
    };
  return breakAnswers("scrape-invalid", {
    [requirement]: Object.fromEntries(
      kinds.map((kind) => [`takes-${kind}-at-${word}`, [accept, isAlone(kind)]] as const),
    ),
  });
}

/** Invalid page scrapes that are taken. */
export const acceptanceBreakers: readonly AnswerFault[] = [
  ...texts.flatMap((name) => take(`scrape.request.${name}.type`, "a-list", "an-object")),
  ...booleans.flatMap((name) => take(`scrape.request.${name}.type`, "a-word", "a-list", "an-object")),
  ...booleans.flatMap((name) => take(notNull, `null-for-${name}`)),
  ...take("scrape.request.ignored_tags.type", "an-object"),
  ...["first", "later"].flatMap((place) =>
    take("scrape.request.ignored_tags.items", `${place}-null`, `${place}-a-list`, `${place}-an-object`),
  ),
  ...take("scrape.unknown-property-rejected", "unknown"),
  ...take("scrape.request.body-required", "missing"),
  ...take("scrape.update_metadata.type", "a-word"),
];

/** Returns whether the fault is the only possible reason for a refusal: neither the size nor the media type is. */
const isStated: Condition = (request) =>
  findMistakes(request).some(({ requirement }) => requirement !== notNull) &&
  request.body.length < 4_096 &&
  [undefined, "application/json"].includes(request.headers["content-type"]);

const problem: Fields = { loc: ["body", "selector"], msg: "wrong", type: "value_error" };
const tellThree = give({ detail: [problem, { ...problem, input: null }, { ...problem, ctx: {} }] });

/** Ways to change the first and the last of three problems. */
const atEnds = (write: (place: string) => Ways): Ways => together(...["first", "last"].map(write));
const setProblemKinds = (name: string, right: string): Ways =>
  atEnds((place) => setKinds(`${name}-of-${place}-problem`, `detail/${place}/${name}`, [right], tellThree));
const leaveOut = (name: string): Ways =>
  list(["first", "last"], (place) => [
    `${place}-problem-without-${name}`,
    inTurn(tellThree, set(`detail/${place}/${name}`)),
  ]);

const readDetail = (body: Json): Json => (isObject(body) ? (body["detail"] ?? []) : []);
const callErrors = inJson((body) => ({ errors: readDetail(body) }));

/** Answers to invalid page scrapes that are not as they should be. */
export const validationBreakers: readonly AnswerFault[] = [
  ...breakAnswers(
    "scrape-invalid",
    {
      "scrape.422": listStatuses("invalid-scrape", [400, 500, 409, 404]),
    },
    { fits: isStated },
  ),
  ...breakAnswers("scrape-invalid", {
    "scrape.422-body": {
      ...addWord("validation-error", noJson),
      "validation-error-is-a-list": inJson(readDetail),
      "validation-error-is-a-string": give("invalid"),
      "validation-error-is-null": give(null),
    },
    "validation-error.detail.required": { "detail-is-missing": give({}), "detail-is-called-errors": callErrors },
    "validation-error.detail": setKinds("detail", "detail", ["a-list"]),
    "validation-error.detail.items": atEnds((place) =>
      setKinds(`${place}-problem`, `detail/${place}`, ["an-object"], tellThree),
    ),
    "validation-error.loc.required": leaveOut("loc"),
    "validation-error.loc": {
      ...setProblemKinds("loc", "a-list"),
      ...atEnds((place) =>
        setKinds(
          `part-of-${place}-loc`,
          `detail/${place}/loc/middle`,
          ["a-string", "a-number"],
          tellThree,
          set(`detail/${place}/loc`, ["body", "", "selector"]),
        ),
      ),
    },
    "validation-error.msg.required": leaveOut("msg"),
    "validation-error.msg": setProblemKinds("msg", "a-string"),
    "validation-error.type.required": leaveOut("type"),
    "validation-error.type": setProblemKinds("type", "a-string"),
    "validation-error.ctx": setProblemKinds("ctx", "an-object"),
  }),
];
