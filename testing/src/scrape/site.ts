import { createServer, type ServerResponse } from "node:http";

/** A page of the site: HTML, or what answers itself. */
export type SitePage = string | ((response: ServerResponse) => void);

/** A site on loopback, with pages that tests put there. */
export interface Site {
  /** Its address by number: one origin. */
  readonly url: string;
  /** Its address by name: another origin. */
  readonly otherUrl: string;
  /** Puts a page at a path. */
  put(path: string, page: SitePage): string;
  /** Ends it. */
  close(): Promise<void>;
}

/** Starts a site. */
export async function startSite(): Promise<Site> {
  const pages = new Map<string, SitePage>();
  const server = createServer((request, response) => {
    const page = pages.get((request.url ?? "/").replace(/\?.*/, ""));
    if (page === undefined) {
      response.statusCode = 404;
      response.end();
    } else if (typeof page === "string") {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(page);
    } else page(response);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The site has no port");
  const { port } = address;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    otherUrl: `http://localhost:${port}`,
    put(path, page) {
      pages.set(path, page);
      return url + path;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
