import { text } from "node:stream/consumers";
import { listen, type LocalServer } from "./listen.ts";

/**
 * A service that has trouble, each session its own: `busy` asks for a wait once, `full` for a long one, `numbered` numbers the names of its
 * cookies, `new` has none at all. The stream of a run breaks before its end.
 *
 * @param numbers - True for a release that numbers the names of all cookies.
 */
export function startTroubledService(numbers = false): Promise<LocalServer> {
  let busyCount = 0;
  return listen(async (request, response) => {
    const body = await text(request);
    const answer = (status: number, value: object, headers = {}): unknown =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
    const [, session, operation] = /^\/sessions\/(\w+)\/(.*)/.exec(request.url ?? "") ?? [];
    if (request.headers.authorization !== "Bearer key") return answer(401, {});
    if (request.url?.startsWith("/api/")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"type":"status","status":"starting"}\n\n');
      return response.write(`data: {"type":"text_delta","delta":"${body.length} bytes"}\n\n`, () => response.destroy());
    }
    if (session === undefined) return answer(404, {});
    if (session === "busy" && busyCount++ === 0) return answer(429, {}, { "retry-after": "1" });
    if (session === "full") return answer(429, {}, { "retry-after": "600" });
    if (operation === "cookies") return answer(200, { cookies: findCookies(numbers ? "numbered" : session) });
    return answer(200, { markdown: "# Harbour ferries\n" });
  });
}

function findCookies(session: string): object | null {
  const name = session === "numbered" ? 7 : "sid";
  return session === "new" ? null : [{ name, value: "v", domain: "ferries.example", path: "/" }];
}
