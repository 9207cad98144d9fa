import { client } from "../hey-api/client.gen";
import { automationStart, pageScrape, sessionCookies, sessionReplay } from "../hey-api/sdk.gen";
import type { AutomationEvent } from "../hey-api/types.gen";
import type { Addresses, Consumer, Run } from "./consumer";

export function connect({ automation, key }: Addresses): Consumer {
  client.setConfig({ auth: () => key });
  const path = (session_id: string) => ({ path: { session_id }, throwOnError: true }) as const;
  return {
    scrape: async (session) => {
      const headers = { "x-service-sdk-version": "1.4.40" };
      const { data } = await pageScrape({ ...path(session), headers, body: { only_main_content: true } });
      return data.markdown;
    },
    cookies: async (session) => (await sessionCookies(path(session))).data.cookies.map(({ httpOnly }) => httpOnly),
    replay: async (session) => (await sessionReplay(path(session))).data.video_duration_ms,
    // Its reader posts again when the stream breaks: `sseMaxRetryAttempts: 1` makes it one post, and one bill.
    start: async (query, signal) => {
      let failure: unknown;
      const onSseError = (error: unknown): void => void (failure = error);
      const once = { baseUrl: automation, sseMaxRetryAttempts: 1, onSseError, signal };
      const { stream } = await automationStart({ body: { query }, ...once });
      const run = await read(stream);
      if (failure !== undefined) throw failure;
      return run;
    },
    plainly: {
      start: async (query, signal) => {
        const { stream } = await automationStart({ body: { query }, sseDefaultRetryDelay: 1, signal });
        return read(stream);
      },
    },
  };
}

async function read(stream: AsyncIterable<AutomationEvent>): Promise<Run> {
  const types: string[] = [];
  let cost: number | undefined;
  for await (const event of stream) {
    types.push(event.type);
    if (event.type === "done") cost = event.total_cost_usd;
  }
  return { types, cost };
}
