import { unknownFault, wrongFault, type ScrapeFault } from "./rejected.ts";
import { type Probe } from "../../http/probe.ts";
import { nothingSeen, type Check, type Judgement, type Exchanges } from "../check.ts";
import { succeeded, type Exchange } from "../../http/exchange.ts";
import type { Member } from "../generation/json-object.ts";
import { repeatedScrapeProbes } from "./accepted.ts";
import {
  atTheEnd,
  inBurst,
  onKeptConnection,
  listNames,
  type Repetition,
  judgeAgain,
  judgeInBurst,
} from "../repetitions.ts";
import { findOpenRefusal } from "./open-refusals.ts";
import { listWronglyRejected } from "./rejected-fields.ts";
import { judgeInvalid, judgeNotTaken } from "./judge-invalid.ts";
import {
  defaultMembers,
  everyOptionalHeader,
  makeScrapeProbe,
  type ScrapeProbeOptions,
  unknownMember,
} from "./scrape-probe.ts";
import { makeCheck } from "../make-check.ts";

/** One fault of a name, and one of a value. */
const faults = [
  unknownFault,
  { ...wrongFault, member: ["selector", { text: "body" }] },
] as const satisfies readonly ScrapeFault[];

/** Other parts of a request, none of which excuses a body that fails validation. */
interface Circumstance {
  readonly word: string;
  readonly options: Omit<ScrapeProbeOptions, "members">;
}

const withHeaders: Circumstance = {
  word: "both-headers",
  options: { headers: everyOptionalHeader, query: "?update_metadata=true" },
};
/** Preference for an answer that the interface does not offer: one that is not JSON would be meant for another client. */
const preferringHtml: Circumstance = {
  word: "preferring-html",
  options: { headers: { accept: "text/html, application/xhtml+xml, application/xml;q=0.9" } },
};
const withQuery: Circumstance = { word: "update-metadata-false", options: { query: "?update_metadata=false" } };

/** Every option with its default, as SDKs write them out, or with an empty value where it may have one. */
const fullBodies: readonly { readonly word: string; readonly members: readonly Member[] }[] = [
  { word: "default-values", members: defaultMembers },
  {
    word: "empty-values",
    members: [
      ["instructions", ""],
      ["ignored_tags", []],
      ["scrape_links", false],
    ],
  },
];

/** A text larger than 64 KiB, a common buffer size. A limit of payload size is not shown, so the size is not judged by itself. */
const largeText = "x".repeat(66_000);
const utf8 = { "content-type": "application/json; charset=utf-8" };

/** Numbers of the repetitions of a request: they reveal a fault that shows at least every third time. */
const times = [2];

const formatName = ({ word }: Pick<Circumstance, "word">, fault: string): string => `${word}-and-${fault}`;

function circumstanceProbe(circumstance: Circumstance, fault: (typeof faults)[number]): Probe {
  return makeScrapeProbe(formatName(circumstance, fault.word), {
    ...circumstance.options,
    members: [fault.member],
    expects: "refusal",
  });
}

/** Repeated plain scrapes. */
export const listPlainScrapes = (repetition: Repetition): Probe[] =>
  listNames(repetition, repetition.scrapes).map((one) =>
    makeScrapeProbe(`plain-${one}`, { sending: repetition.sending }),
  );

/** Repeated scrapes that fail validation. */
export const listInvalidScrapes = ({ word, sending }: Repetition): Probe[] =>
  faults.map((fault) => circumstanceProbe({ word, options: { sending } }, fault));

const repetitions = [onKeptConnection, inBurst, atTheEnd];

/** Ids of all repeated plain scrapes. */
export const repeatedScrapeIds: readonly string[] = repetitions.flatMap(listPlainScrapes).map(({ id }) => id);

/** Ids of all repeated scrapes that fail validation. */
export const invalidScrapeIds: readonly string[] = repetitions.flatMap(listInvalidScrapes).map(({ id }) => id);

/** Invalid scrapes, each under circumstances, and once more. */
export const circumstanceProbes: readonly Probe[] = [
  ...[withHeaders, preferringHtml, withQuery].flatMap((circumstance) =>
    faults.map((fault) => circumstanceProbe(circumstance, fault)),
  ),
  ...fullBodies.flatMap(({ word, members }) =>
    faults.map((fault) =>
      makeScrapeProbe(`${word}-and-${fault.word}`, {
        members: [...members.filter(([field]) => field !== fault.member[0]), fault.member],
        expects: "refusal",
      }),
    ),
  ),
  ...faults.flatMap((fault) =>
    times.map((time) =>
      makeScrapeProbe(`${fault.word}-again-${time}`, { members: [fault.member], expects: "refusal" }),
    ),
  ),
];

/** Invalid scrapes that may be refused for another reason, but must not succeed. */
export const untakenCircumstanceProbes: readonly Probe[] = [
  ...faults.map((fault) =>
    makeScrapeProbe(`charset-and-${fault.word}`, { headers: utf8, members: [fault.member], expects: "refusal" }),
  ),
  makeScrapeProbe("large-and-invalid", { members: [["instructions", largeText], unknownMember], expects: "refusal" }),
];

const firstTime = { first: "scrape/defaults", requirement: "scrape.status-200" };
/** Judges an invalid scrape under circumstances, unless the plain one succeeds as well: then another check reports it. */
function judgeUnder(exchange: Exchange, run: Exchanges, judge = judgeInvalid): Judgement {
  const fault = exchange.id.includes("wrong") ? wrongFault : unknownFault;
  const alone = run?.get(fault.alone);
  if (alone && succeeded(alone)) return nothingSeen("The same fault is also accepted in a plain request.");
  return judge(exchange, fault.what, fault.requirement);
}

/** The plain requests with each fault. */
const aloneIds = [wrongFault.alone, unknownFault.alone];

function makeInvalidCheck(name: string, probes: readonly string[], judge: Judge = judgeUnder): Check {
  const ids = probes.map((probe) => `scrape/${probe}`);
  return makeCheck(`scrape/${name}`, ids, (exchange, _, run) => judge(exchange, run), { consults: aloneIds });
}

/** Judges an exchange beside the others of its run. */
type Judge = (exchange: Exchange, run: Exchanges) => Judgement;

const judgePreference: Judge = (exchange, run) =>
  exchange.response?.status === 406
    ? nothingSeen("The target answered 406: it has no answer of the media types that the request prefers.")
    : judgeUnder(exchange, run);

/** Judges an invalid scrape that may be refused for another reason. */
const judgeUntaken: Judge = (exchange, run) => judgeUnder(exchange, run, judgeNotTaken);

const judgeEveryTime: Judge = (exchange, run) => {
  const open = findOpenRefusal(exchange, run);
  if (open !== undefined) return nothingSeen(open);
  if (exchange.id.startsWith("scrape/with-")) return nothingSeen("The check of the value says so.");
  const [field] = listWronglyRejected(exchange);
  return field === undefined ? judgeAgain(exchange, firstTime, run) : nothingSeen(`It was rejected for \`${field}\`.`);
};

const nameWithFaults = (circumstances: readonly Pick<Circumstance, "word">[]): string[] =>
  circumstances.flatMap((circumstance) => faults.map((fault) => formatName(circumstance, fault.word)));

const againNames = faults.flatMap((fault) => times.map((time) => `${fault.word}-again-${time}`));
const charsetNames = faults.map((fault) => `charset-and-${fault.word}`);

/** Checks that circumstances do not change the answer. Source: interface § Endpoints, § Errors. */
export const circumstanceChecks: readonly Check[] = [
  makeCheck(
    "scrape/status-200-every-time",
    [repeatedScrapeProbes, listPlainScrapes(onKeptConnection), listPlainScrapes(atTheEnd)].flat().map(({ id }) => id),
    (exchange, _, run) => judgeEveryTime(exchange, run),
    { coversUnplanned: true, consults: [firstTime.first] },
  ),
  makeCheck(
    "scrape/status-200-in-burst",
    listPlainScrapes(inBurst).map(({ id }) => id),
    (exchange, _, run) => judgeInBurst(exchange, firstTime, run),
    { consults: [firstTime.first] },
  ),
  makeInvalidCheck("validates-every-time", [...againNames, ...nameWithFaults([atTheEnd])]),
  makeInvalidCheck("validates-with-headers", nameWithFaults([withHeaders])),
  makeInvalidCheck("validates-whatever-accept", nameWithFaults([preferringHtml]), judgePreference),
  makeInvalidCheck("validates-with-update_metadata", nameWithFaults([withQuery])),
  makeInvalidCheck("validates-with-values-written-out", nameWithFaults(fullBodies)),
  makeInvalidCheck("validates-on-kept-connection", nameWithFaults([onKeptConnection])),
  makeInvalidCheck("validates-in-burst", nameWithFaults([inBurst])),
  makeInvalidCheck("refuses-invalid-with-charset", charsetNames, judgeUntaken),
  makeInvalidCheck("refuses-invalid-when-large", ["large-and-invalid"], judgeUntaken),
];
