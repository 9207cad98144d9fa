import {
  getAutomationStartUrl,
  pageScrape,
  sessionCookies,
  sessionReplay,
  automationStart,
  type AutomationEvent,
  type AutomationRequest,
} from "../orval/index";
import { listDataLines, type Addresses, type Consumer } from "./consumer";

export function connect({ key }: Addresses): Consumer {
  const headers = { authorization: `Bearer ${key}` };
  return {
    scrape: async (session) => {
      const answer = await pageScrape(session, { only_main_content: true }, {}, { headers });
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      return answer.data.markdown;
    },
    cookies: async (session) => {
      const answer = await sessionCookies(session, { headers });
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      return answer.data.cookies.map(({ httpOnly }) => httpOnly);
    },
    replay: async (session) => {
      const answer = await sessionReplay(session, { headers });
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      return answer.data.video_duration_ms;
    },
    start: async (query, signal) => {
      const request: AutomationRequest = { query };
      const response = await fetch(getAutomationStartUrl(), {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(request),
        signal,
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const events = listDataLines(await response.text()).map((line): AutomationEvent => JSON.parse(line));
      const done = events.find((event) => event.type === "done");
      return { types: events.map(({ type }) => type), cost: done?.total_cost_usd };
    },
    plainly: {
      start: async (query, signal) => (await automationStart({ query }, { headers, signal })).data,
    },
  };
}
