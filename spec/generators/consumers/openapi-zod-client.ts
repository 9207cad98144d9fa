import { createApiClient, schemas } from "../openapi-zod-client/api";
import { listDataLines, type Addresses, type Consumer } from "./consumer";

export function connect({ sessions, automation, key }: Addresses): Consumer {
  const api = createApiClient(sessions);
  const headers = { Authorization: `Bearer ${key}` };
  const of = (session: string) => ({ params: { session_id: encodeURIComponent(session) }, headers });
  return {
    scrape: async (session) => (await api.page_scrape({ only_main_content: true }, of(session))).markdown,
    cookies: async (session) => (await api.session_cookies(of(session))).cookies.map(({ httpOnly }) => httpOnly),
    replay: async (session) => (await api.session_replay(of(session))).video_duration_ms,
    start: async (query, signal) => {
      const stream: unknown = await createApiClient(automation).automation_start({ query }, { headers, signal });
      const events = listDataLines(String(stream)).map((line) => schemas.AutomationEvent.parse(JSON.parse(line)));
      const done = events.find((event) => event.type === "done");
      return { types: events.map(({ type }) => type), cost: done?.total_cost_usd };
    },
    plainly: {
      scrape: async (session_id) => api.page_scrape({}, { params: { session_id }, headers }),
      start: async (query, signal) => api.automation_start({ query }, { headers, signal }),
    },
  };
}
