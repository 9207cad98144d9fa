import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../dist/", import.meta.url));

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
};

/** A server of the built site. */
export interface ServedSite extends AsyncDisposable {
  /** Address without a slash at its end. */
  readonly url: string;
}

/**
 * Serves the built site on loopback.
 *
 * @param port - 0: any free one.
 * @param base - Path that the site was built for: what stands before it is not found.
 */
export async function serveSite(port: number, base = ""): Promise<ServedSite> {
  const server = createServer((request, response) => {
    void answer(request.url ?? "/", base).then(({ status, type, body }) => {
      response.writeHead(status, { "content-type": type }).end(request.method === "HEAD" ? undefined : body);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the server of the site has no port");
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${bound.port}`, [Symbol.asyncDispose]: close };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array | string;
}

async function answer(url: string, base: string): Promise<Answer> {
  const missing: Answer = { status: 404, type: "text/plain", body: "not found" };
  try {
    const path = decodeURIComponent(new URL(url, "http://site.invalid").pathname);
    if (!path.startsWith(`${base}/`)) return missing;
    const relativePath = path.slice(base.length);
    const file = normalize(join(folder, relativePath.endsWith("/") ? `${relativePath}index.html` : relativePath));
    if (!file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return missing;
    return { status: 200, type: types[extname(file)] ?? "application/octet-stream", body: await readFile(file) };
  } catch {
    const page = await readFile(join(folder, "404.html")).catch(() => undefined);
    return page === undefined ? missing : { status: 404, type: "text/html; charset=utf-8", body: page };
  }
}
