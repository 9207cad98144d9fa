import type { Probe } from "../../http/probe.ts";
import { asksToWait } from "../setup-statuses.ts";
import { inError, nothingSeen, type Check, judgeStatus } from "../check.ts";
import { plainScrapeIds } from "./accepted.ts";
import { scrapeProbe } from "./scrape-probe.ts";
import { makeCheck } from "../make-check.ts";

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

/** Judges that a body is read, however its media type is written. */
const judgeNotation: Check["judge"] = ({ plan, response, failure }, _, run) => {
  if (plainScrapeIds.some((id) => (run?.get(id)?.response?.status ?? 200) !== 200))
    return nothingSeen("The scrape without options did not succeed each time.");
  if (!response) return inError(failure?.message ?? "no response");
  const { status } = response;
  if (asksToWait(status)) return inError(`The target answered ${status}: it asks to retry later.`);
  return judgeStatus(status === 200, `200: ${plan.headers?.["content-type"]} is the media type of JSON`, status);
};

/** Checks of the notation of the media type. Source: interface § Endpoints. */
export const mediaTypeChecks: readonly Check[] = [
  makeCheck(
    "scrape/accepts-any-media-type-notation",
    mediaTypeProbes.map(({ id }) => id),
    judgeNotation,
    { consults: plainScrapeIds },
  ),
];
