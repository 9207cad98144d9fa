import createClient from "openapi-fetch";
import type { components, paths } from "../openapi-typescript/schema";
import { listDataLines, type Addresses, type Consumer } from "./consumer";

export function connect({ sessions, automation, key }: Addresses): Consumer {
  const headers = { authorization: `Bearer ${key}` };
  const client = createClient<paths>({ baseUrl: sessions, headers });
  const path = (session_id: string) => ({ path: { session_id } });
  const start = { baseUrl: automation, headers: { accept: "text/event-stream" } };
  return {
    scrape: async (session) => {
      const params = { ...path(session), header: { "x-service-sdk-version": "1.4.40" } };
      const body = { only_main_content: true };
      return readData(await client.POST("/sessions/{session_id}/page/scrape", { params, body })).markdown;
    },
    cookies: async (session) => {
      const { cookies } = readData(await client.GET("/sessions/{session_id}/cookies", { params: path(session) }));
      return cookies.map(({ httpOnly }) => httpOnly);
    },
    replay: async (session) =>
      readData(await client.GET("/sessions/{session_id}/replay", { params: path(session) })).video_duration_ms,
    start: async (query, signal) => {
      const options = { ...start, body: { query }, parseAs: "text", signal } as const;
      const events = listDataLines(readData(await client.POST("/api/automation/start", options))).map(
        (line): components["schemas"]["AutomationEvent"] => JSON.parse(line),
      );
      const done = events.find((event) => event.type === "done");
      return { types: events.map(({ type }) => type), cost: done?.total_cost_usd };
    },
    plainly: {
      start: async (query, signal) =>
        readData(await client.POST("/api/automation/start", { body: { query }, parseAs: "text", signal })),
    },
  };
}

function readData<Data>({ data, response }: { data?: Data; response: Response }): Data {
  if (data === undefined) throw new Error(`status ${response.status}`);
  return data;
}
