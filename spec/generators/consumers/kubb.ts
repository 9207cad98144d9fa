import { client } from "@kubb/plugin-client/clients/axios";
import { automationStart as fetchedStart } from "../kubb-fetch/index";
import { automationStart, pageScrape, sessionCookies, sessionReplay, type AutomationEvent } from "../kubb/index";
import { listDataLines, type Addresses, type Consumer } from "./consumer";

export function connect({ sessions, automation, key }: Addresses): Consumer {
  const authorization = `Bearer ${key}`;
  client.setConfig({ baseURL: sessions, headers: { authorization } });
  return {
    scrape: async (session) => {
      const headers = { "x-service-sdk-version": "1.4.40" };
      return (await pageScrape(encodeURIComponent(session), { only_main_content: true }, {}, headers)).markdown;
    },
    cookies: async (session) =>
      (await sessionCookies(encodeURIComponent(session))).cookies.map(({ httpOnly }) => httpOnly),
    replay: async (session) => (await sessionReplay(encodeURIComponent(session))).video_duration_ms,
    start: async (query, signal) => {
      const stream = await automationStart({ query }, { baseURL: automation, responseType: "text", signal });
      const events = listDataLines(String(stream)).map((line): AutomationEvent => JSON.parse(line));
      const done = events.find((event) => event.type === "done");
      return { types: events.map(({ type }) => type), cost: done?.total_cost_usd };
    },
    plainly: {
      scrape: async (session) => pageScrape(session, {}),
      start: async (query, signal) => fetchedStart({ query }, { headers: { authorization }, signal }),
    },
  };
}
