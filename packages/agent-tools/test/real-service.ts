import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService, type RunningService, type ServiceOptions } from "@cloud-browser/service";

/** A service on a real Chromium, and a site that its pages come from. */
export interface RealService extends AsyncDisposable {
  readonly service: RunningService;
  /** Address of the site, without the last slash. */
  readonly site: string;
}

/** Answers with a page for a path. */
export type Pages = (
  path: string,
) => string | { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** Starts a service, and a site. */
export async function startRealService(pages: Pages, options: ServiceOptions = {}): Promise<RealService> {
  const server = createServer((request, response) => {
    const page = pages(request.url ?? "/");
    const { body, headers } = typeof page === "string" ? { body: page, headers: {} } : page;
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const data = await mkdtemp(join(tmpdir(), "cloud-browser-agents-"));
  const service = await startService({ data, allow: ["127.0.0.1"], ...options });
  return {
    service,
    site: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      await service.close();
      server.close();
      server.closeAllConnections();
      await rm(data, { recursive: true });
    },
  };
}
