import type { Probe } from "../../http/probe.ts";
import type { Check } from "../check.ts";
import { acceptedScrapeProbes, scrapeAcceptedChecks, mediaTypeChecks, mediaTypeProbes } from "./accepted.ts";
import { boundChecks } from "./bound-checks.ts";
import {
  circumstanceChecks,
  circumstanceProbes,
  invalidScrapeIds,
  repeatedScrapeIds,
  untakenCircumstanceProbes,
} from "./circumstances.ts";
import { combinedScrapeIds, combinedScrapeProbes, scrapeCombinedChecks } from "./combined.ts";
import {
  rejectedScrapeProbes,
  scrapeRejectedChecks,
  untakenScrapeProbes,
  twoFaultsChecks,
  twoFaultsProbes,
} from "./rejected.ts";
import { unknownPropertyChecks, unknownPropertyProbes } from "./unknown-properties.ts";

/** Makes every page scrape with the key, except those at a certain moment and a mock's examples. The same seed gives the same scrapes. */
export function scrapeRequestProbes(seed: number): Probe[] {
  return [
    ...acceptedScrapeProbes,
    ...combinedScrapeProbes(seed),
    ...circumstanceProbes,
    ...rejectedScrapeProbes,
    ...twoFaultsProbes,
    ...unknownPropertyProbes(seed),
    ...untakenScrapeProbes,
    ...untakenCircumstanceProbes,
    ...mediaTypeProbes,
  ];
}

const ids = (probes: readonly Probe[]): string[] => probes.map(({ id }) => id);

/** Ids of the scrapes that a conforming target answers with 200. */
export const acceptedScrapeIds: readonly string[] = [
  ...ids(acceptedScrapeProbes),
  ...combinedScrapeIds,
  ...repeatedScrapeIds,
];

/** Ids of the scrapes that a conforming target answers with 422, or may: any 422 of a scrape has the same form. */
export const rejectedScrapeIds: readonly string[] = [
  ...ids(rejectedScrapeProbes),
  ...ids(twoFaultsProbes),
  ...ids(unknownPropertyProbes(0)),
  ...ids(circumstanceProbes),
  ...invalidScrapeIds,
  ...ids(untakenScrapeProbes),
  ...ids(untakenCircumstanceProbes),
];

/** Checks of valid and invalid scrape requests. Source: interface § Endpoints, § Resources and their fields. */
export const scrapeRequestChecks: readonly Check[] = [
  ...scrapeAcceptedChecks,
  ...scrapeCombinedChecks,
  ...boundChecks,
  ...mediaTypeChecks,
  ...scrapeRejectedChecks,
  ...twoFaultsChecks,
  ...unknownPropertyChecks,
  ...circumstanceChecks,
];
