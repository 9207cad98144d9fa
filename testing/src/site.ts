import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A site on loopback. */
export interface Site extends AsyncDisposable {
  /** Its address, without a slash at its end. */
  readonly url: string;
  /** Requested paths, in order. */
  readonly requests: string[];
}

/** A page, or what answers for it. */
export type SitePage = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** Serves pages by their paths; other paths get 404. */
export async function startSite(pages: Readonly<Record<string, SitePage>>): Promise<Site> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    requests.push(path);
    const page = pages[path];
    if (page === undefined) return void response.writeHead(404).end("nothing here");
    if (typeof page === "function") return page(request, response);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  return listenOnLoopback(server, requests);
}

/** Makes a page that is answered only once its gate is opened. */
export function makeGate(): { readonly page: SitePage; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { page: (_, response) => void promise.then(() => response.end()), open: resolve };
}

/** Starts a server on a free port of loopback, as a site. */
export async function listenOnLoopback(server: Server, requests: string[]): Promise<Site> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the site has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
