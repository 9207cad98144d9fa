import { deepStrictEqual } from "node:assert/strict";
import { session } from "./calls.ts";
import { key, type Loopback } from "./loopback.ts";
import type { Workshop } from "./workshop.ts";

/** What is wrong with the requests of the Postman collection; empty when they arrive as the contract says. */
export async function complaintsAboutCollection(workshop: Workshop, loopback: Loopback): Promise<string[]> {
  const before = loopback.arrived.length;
  const { code, output, said } = await workshop.run("node:postman.mjs", key, encodeURIComponent(session));
  if (code !== 0) return [`openapi-to-postman: ${said.slice(-1500)}`];
  const arrived = loopback.arrived.slice(before).map(({ server, line, headers, body }) => ({
    sent: `${server} ${line.replace("?update_metadata=true", "")}`,
    authorization: headers.authorization,
    origin: headers["x-service-request-origin"],
    body: body === "" ? undefined : JSON.parse(body),
  }));
  const path = `/sessions/${encodeURIComponent(session)}`;
  const common = { authorization: `Bearer ${key}`, origin: undefined };
  try {
    deepStrictEqual(arrived, [
      { ...common, sent: `sessions POST ${path}/page/scrape`, body: {} },
      { ...common, sent: `sessions GET ${path}/cookies`, body: undefined },
      { ...common, sent: `sessions GET ${path}/replay`, body: undefined },
      {
        ...common,
        sent: "automation POST /api/automation/start",
        body: { query: "Find the departure time of the next ferry from pier 3." },
      },
    ]);
    deepStrictEqual(JSON.parse(output), {
      statuses: [200, 200, 200, 200],
      filledIn: ["string", "string"],
    });
    return [];
  } catch (error) {
    return [`openapi-to-postman: ${error instanceof Error ? error.message : String(error)}`];
  }
}
