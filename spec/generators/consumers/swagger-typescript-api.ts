import { Api, type AutomationEvent } from "../swagger-typescript-api/api";
import { listDataLines, type Addresses, type Consumer } from "./consumer";

export function connect({ automation, key }: Addresses): Consumer {
  const api = new Api<string>({ securityWorker: (token) => ({ headers: { Authorization: `Bearer ${token}` } }) });
  api.setSecurityData(key);
  return {
    scrape: async (session) =>
      (await api.sessions.pageScrape(encodeURIComponent(session), { only_main_content: true })).data.markdown,
    cookies: async (session) => {
      const { data } = await api.sessions.sessionCookies(encodeURIComponent(session));
      return data.cookies.map(({ httpOnly }) => httpOnly);
    },
    replay: async (session) => (await api.sessions.sessionReplay(encodeURIComponent(session))).data.video_duration_ms,
    start: async (query, signal) => {
      const response = await api.api.automationStart({ query }, { baseUrl: automation, signal });
      const events = listDataLines(await response.text()).map((line): AutomationEvent => JSON.parse(line));
      const done = events.find((event) => event.type === "done");
      return { types: events.map(({ type }) => type), cost: done?.total_cost_usd };
    },
    plainly: {
      scrape: async (session) => api.sessions.pageScrape(session, {}),
      start: async (query, signal) => (await api.api.automationStart({ query }, { signal })).data,
    },
  };
}
