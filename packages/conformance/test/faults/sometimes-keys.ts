import { apiKey, json } from "../server.ts";
import {
  scraped,
  cookiesRead,
  replayRead,
  started,
  isScrape,
  isCookies,
  isReplay,
  isAutomation,
  gives,
  everyTime,
  answered,
  authorization,
  token,
  keyless,
  wrongKey,
  withHeader,
  scrapeKey,
  later,
  type SometimesFault,
} from "./sometimes.ts";

/** Servers that let in, or turn away, whom they must not, and show it only sometimes. */
export const sometimesKeyFaults: readonly SometimesFault[] = [
  {
    name: "lets every third scrape without a key in",
    requirement: scrapeKey,
    alter: everyTime(3, scraped, isScrape, keyless),
  },
  {
    name: "lets every third cookies read with a wrong key in",
    requirement: "cookies.requires-authentication",
    alter: everyTime(3, cookiesRead, isCookies, wrongKey),
  },
  {
    name: "lets every third replay read without a key in",
    requirement: "replay.requires-authentication",
    alter: everyTime(3, replayRead, isReplay, keyless),
  },
  {
    name: "starts every third run with a wrong key",
    requirement: "automation.401-invalid-key",
    alter: everyTime(3, started, isAutomation, wrongKey),
  },
  {
    name: "answers every third automation request without a key with 400",
    requirement: "automation.401-missing-key",
    alter: everyTime(3, () => json(400, {}), isAutomation, keyless, answered(401)),
  },
  {
    name: "asks only the first request of a connection for a key",
    requirement: scrapeKey,
    alter: gives(scraped, isScrape, later, answered(403)),
  },
  {
    name: "lets those in who tell the version of their SDK",
    requirement: scrapeKey,
    alter: gives(scraped, isScrape, withHeader("x-service-sdk-version"), answered(403)),
  },
  {
    name: "starts runs for those who tell the version of their SDK",
    requirement: "automation.401-missing-key",
    alter: gives(started, isAutomation, withHeader("x-service-sdk-version"), keyless),
  },
  {
    name: "compares only the beginning of the key that was sent",
    requirement: scrapeKey,
    alter: gives(
      scraped,
      isScrape,
      (request) => token(request) !== "" && apiKey.startsWith(token(request)),
      answered(403),
    ),
  },
  {
    name: "looks only at the beginning of what was sent",
    requirement: "cookies.requires-authentication",
    alter: gives(cookiesRead, isCookies, (request) => token(request).startsWith(apiKey), answered(403)),
  },
  {
    name: "takes an empty key for one",
    requirement: "replay.requires-authentication",
    alter: gives(replayRead, isReplay, (request) => /^Bearer\s*$/.test(authorization(request)), answered(403)),
  },
  {
    name: "takes an empty key for one at the automation",
    requirement: "automation.401-missing-key",
    alter: gives(started, isAutomation, (request) => /^Bearer\s*$/.test(authorization(request))),
  },
  {
    name: "compares only the beginning of the key at the automation",
    requirement: "automation.401-invalid-key",
    profile: "full",
    alter: gives(
      started,
      isAutomation,
      (request) => token(request).length > 3 && apiKey.startsWith(token(request)),
      answered(401),
    ),
  },
  {
    name: "takes the key under any scheme at the automation",
    requirement: "auth.automation.bearer-only",
    profile: "full",
    alter: gives(started, isAutomation, (request) => authorization(request) === apiKey, answered(401)),
  },
  {
    name: "does not look at the case of the key",
    requirement: "auth.key-exact",
    alter: gives(scraped, isScrape, (request) => token(request).toLowerCase() === apiKey.toLowerCase(), answered(403)),
  },
  {
    name: "takes the key under any scheme",
    requirement: "auth.session.bearer-only",
    alter: gives(
      cookiesRead,
      isCookies,
      (request) => authorization(request).replace(/^\S+ +/, "") === apiKey,
      (request) => !/^bearer /i.test(authorization(request)),
    ),
  },
  {
    name: "takes the key only the first time",
    requirement: "auth.session.bearer-header",
    alter: () => {
      let used = false;
      return (answer, request) => {
        if (!isScrape(request, answer) || answer.status === 403) return answer;
        if (used) return json(401, {});
        used = true;
        return answer;
      };
    },
  },
];
