import { text } from "node:stream/consumers";
import { listen, type LocalServer } from "./listen.ts";

const problem = { loc: ["body", "selector"], msg: "no such element", type: "value_error" };

/** A service that is overloaded at first, then scrapes one session, and knows no other. */
export function startFlakyService(): Promise<LocalServer> {
  let requestCount = 0;
  return listen(async (request, response) => {
    const answer = (status: number, body: object, headers = {}): unknown =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    const body = await text(request);
    response.setHeader("x-request-id", `request-${++requestCount}`);
    if (requestCount <= 2) answer(503, {}, { "retry-after-ms": "20" });
    else if (!request.url?.startsWith("/sessions/ferries/")) answer(404, {});
    else if (body.includes("#none")) answer(422, { detail: [problem] });
    else answer(200, { markdown: "# Harbour ferries\n" });
  });
}
