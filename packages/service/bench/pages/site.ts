import { createServer } from "node:http";
import { pictureCount, shopPage, styleSheet } from "./shop.ts";
import { renderPicture } from "./picture.ts";

/** A site on loopback. */
export interface Site extends AsyncDisposable {
  /** Its address, without a slash at its end. */
  readonly url: string;
}

/** What a path of the site answers with. */
interface SiteFile {
  readonly type: string;
  readonly body: string | Buffer;
}

/**
 * Serves the pages of the bench: `/page-N`, which weigh what real pages weigh, their style and pictures, and whatever else is given.
 * Made once and kept, so that the server costs next to nothing.
 */
export async function startSite(more: ReadonlyMap<string, string> = new Map()): Promise<Site> {
  const html = "text/html; charset=utf-8";
  const files = new Map<string, SiteFile>([["/style.css", { type: "text/css", body: styleSheet() }]]);
  for (let number = 0; number < pictureCount; number += 1) {
    files.set(`/picture-${number}.png`, { type: "image/png", body: renderPicture(number, 110, 62) });
  }
  for (let number = 0; number < 50; number += 1) {
    files.set(`/page-${number}`, { type: html, body: Buffer.from(shopPage(number)) });
  }
  for (const [path, body] of more) files.set(path, { type: html, body: Buffer.from(body) });
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain", "cache-control": "no-cache" });
    response.end(file?.body ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The site has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
