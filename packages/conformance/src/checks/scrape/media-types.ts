import type { Probe } from "../../http/probe.ts";
import { asksToWait } from "../setup-statuses.ts";
import { inError, nothingSeen, verdict, type Check } from "../check.ts";
import { plainScrapeIds } from "./accepted.ts";
import { scrapeProbe } from "./scrape-probe.ts";

/** Notations of the media type of JSON: with parameters, which JSON has none of, and in capitals. Source: RFC 9110, section 8.3; RFC 8259. */
const notations: Readonly<Record<string, string>> = {
  charset: "application/json; charset=utf-8",
  "charset-in-capitals": "application/json;charset=UTF-8",
  "charset-in-quotes": 'application/json; charset="utf-8"',
  profile: 'application/json; profile="https://conformance.example/page"',
  "two-parameters": "application/json; charset=utf-8; version=1",
  capitals: "Application/JSON",
};

/** Plain scrapes whose media type is written in other ways. Whether a target takes them is left open by default. */
export const mediaTypeProbes: readonly Probe[] = Object.entries(notations).map(([word, type]) =>
  scrapeProbe(`typed-${word}`, {
    headers: { "content-type": type },
    members: [["instructions", "Åpne about:blank 🛳️"]],
    expects: "open",
  }),
);

const requirement = "scrape.request.media-type-notation";

/** Checks that a body is read, however its media type is written. Source: interface § Endpoints. */
export const mediaTypeChecks: readonly Check[] = [
  {
    id: "scrape/accepts-any-media-type-notation",
    title: "A scrape is accepted whose media type is that of JSON, with parameters or in capitals.",
    requirements: [requirement],
    probes: mediaTypeProbes.map(({ id }) => id),
    consults: plainScrapeIds,
    judge: ({ plan, response, failure }, _, run) => {
      if (plainScrapeIds.some((id) => (run?.get(id)?.response?.status ?? 200) !== 200))
        return nothingSeen("The scrape without options did not succeed each time.");
      if (!response) return inError(failure?.message ?? "no response");
      if (asksToWait(response.status))
        return inError(`The target answered ${response.status}: it asks to retry later.`);
      return verdict(response.status === 200, {
        requirement,
        where: "status",
        expected: `200: ${plan.headers?.["content-type"]} is the media type of JSON`,
        received: String(response.status),
      });
    },
  },
];
