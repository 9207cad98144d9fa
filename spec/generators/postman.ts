import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { session } from "./calls.ts";
import { key, type Loopback } from "./loopback.ts";
import type { Workshop } from "./workshop.ts";

/** What is wrong with the collection that the command of ../README.md writes. */
export async function checkCommand(workshop: Workshop): Promise<string[]> {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, commandArgs = ""] = /^npx -p openapi-to-postmanv2@[\d.]+ openapi2postmanv2 (.+)$/m.exec(readme) ?? [];
  const spec = fileURLToPath(new URL("../", import.meta.url));
  const args = commandArgs.split(" ").map((arg) => arg.replace("node_modules/@cloud-browser/spec/", spec));
  const { output } = await workshop.run("openapi-to-postmanv2:openapi2postmanv2", ...args);
  const collection = readFileSync(join(workshop.folder, "collection.json"), "utf8");
  const isRead = collection.includes("Find the departure time") && !collection.includes("<string");
  return isRead ? [] : [`openapi2postmanv2 wrote a collection without the examples: ${output.slice(-800)}`];
}

/** What is wrong with the requests of the Postman collection; empty when they arrive as the contract says. */
export async function checkCollection(workshop: Workshop, loopback: Loopback): Promise<string[]> {
  const before = loopback.arrived.length;
  const { code, stdout, output } = await workshop.run("node:postman.mjs", key, encodeURIComponent(session));
  if (code !== 0) return [`openapi-to-postman: ${output.slice(-1500)}`];
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
    deepStrictEqual(JSON.parse(stdout), {
      statuses: [200, 200, 200, 200],
      filledIn: ["string", "string"],
    });
    return [];
  } catch (error) {
    return [`openapi-to-postman: ${error instanceof Error ? error.message : String(error)}`];
  }
}
