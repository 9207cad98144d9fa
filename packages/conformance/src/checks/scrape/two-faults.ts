import type { Probe } from "../../http/probe.ts";
import { nothingSeen, type Check } from "../check.ts";
import { succeeded } from "../../http/exchange.ts";
import type { Member } from "../generation/json-object.ts";
import { judgeInvalid } from "./judge-invalid.ts";
import { scrapeProbe } from "./scrape-probe.ts";
import { makeCheck } from "../make-check.ts";

/** A fault of a scrape, and the probe that has only this fault. */
interface Fault {
  readonly word: string;
  readonly alone: string;
  readonly requirement: string;
  readonly what: string;
  readonly member?: Member;
  readonly query?: string;
}

const unknown: Fault = {
  word: "unknown",
  alone: "scrape/unknown-stranger",
  requirement: "scrape.unknown-property-rejected",
  what: "an unknown property",
  member: ["conformance_unknown", true],
};

/** One fault of each kind. */
const faults: readonly Fault[] = [
  {
    word: "wrong",
    alone: "scrape/wrong-selector-object",
    requirement: "scrape.request.selector.type",
    what: "a `selector` that is an object",
    member: ["selector", {}],
  },
  unknown,
  {
    word: "boolean",
    alone: "scrape/wrong-scrape_links-object",
    requirement: "scrape.request.scrape_links.type",
    what: "a `scrape_links` that is an object",
    member: ["scrape_links", {}],
  },
  {
    word: "element",
    alone: "scrape/wrong-ignored_tags-items-object-second",
    requirement: "scrape.request.ignored_tags.items",
    what: "an `ignored_tags` with an object in it",
    member: ["ignored_tags", ["nav", { tag: "footer" }]],
  },
  {
    word: "query",
    alone: "scrape/update-metadata-wrong",
    requirement: "scrape.update_metadata.type",
    what: "an `update_metadata` that is not a boolean",
    query: "?update_metadata=neither",
  },
];

/** Every pair of faults, by the id of its probe. The first pair is also observed. */
const pairs: ReadonlyMap<string, readonly [Fault, Fault]> = new Map(
  faults.flatMap((one, at) =>
    faults.slice(at + 1).map((other): [string, readonly [Fault, Fault]] => {
      const suffix = at === 0 && other === unknown ? "" : `-${one.word}-and-${other.word}`;
      return [`scrape/two-faults${suffix}`, [one, other]];
    }),
  ),
);

/** Scrapes with two faults. */
export const twoFaultsProbes: readonly Probe[] = [...pairs].map(([id, pair]) => {
  const query = pair.find((fault) => fault.query !== undefined)?.query;
  return scrapeProbe(id.replace("scrape/", ""), {
    members: pair.flatMap(({ member }) => (member ? [member] : [])),
    ...(query === undefined ? {} : { query }),
    expects: "refusal",
  });
});

/** Checks of scrapes with two faults. Other checks report a fault that is accepted alone. */
export const twoFaultsChecks: readonly Check[] = [
  makeCheck(
    "scrape/rejects-two-faults",
    [...pairs.keys()],
    (exchange, _, run) => {
      const pair = pairs.get(exchange.id);
      if (!pair) return nothingSeen("The request does not have two faults.");
      const isTaken = pair.some(({ alone }) => {
        const other = run?.get(alone);
        return other !== undefined && succeeded(other);
      });
      const main = pair.find((fault) => fault === unknown) ?? pair[0];
      return isTaken
        ? nothingSeen("One of the faults is accepted alone.")
        : judgeInvalid(exchange, pair.map(({ what }) => what).join(", and "), main.requirement);
    },
    { consults: faults.map(({ alone }) => alone) },
  ),
];
