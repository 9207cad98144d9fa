/**
 * A proxy before a service that conforms: it passes on what comes and goes, but for what a twist changes. So a fault that was
 * written for the simulated server is tried on a real one.
 */
import { createServer, type IncomingMessage } from "node:http";
import { listen } from "../listen.ts";
import { Browser } from "./browser.ts";
import { defaultOptions, type DataSpace, type ScrapeOptions } from "./scrape.ts";
import { scrapeStatus, type FileAnswer, type Replay, type Twist } from "./site-server.ts";

/** Returns whether a proxy can make the change: it can change requests and responses, but not the browsers. */
export function isForProxy({ browser, taste, oneProfile, lastsMs, slowRecording }: Twist): boolean {
  return [browser, taste, oneProfile, lastsMs, slowRecording].every((part) => part === undefined);
}

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Nothing of a real browser is known here. */
const nobody = new Browser();

export class TwistProxy implements AsyncDisposable {
  /** Its own address. */
  url = "";
  readonly #upstream: string;
  readonly #twist: Twist;
  /** Names by which twists know files, by their paths. */
  readonly #names = new Map<string, string>();
  #files = 0;
  /** Number of requests for each file, by its path. */
  readonly #timesAsked = new Map<string, number>();
  readonly #server = createServer({ maxHeaderSize: 2 ** 20 }, (request, response) => {
    void this.#answer(request).then(({ status, headers, body }) => {
      response.writeHead(status, headers);
      response.end(body);
    });
  });

  private constructor(upstream: string, twist: Twist) {
    this.#upstream = upstream;
    this.#twist = twist;
  }

  static async start(upstream: string, twist: Twist): Promise<TwistProxy> {
    const proxy = new TwistProxy(upstream, twist);
    proxy.url = await listen(proxy.#server);
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage): Promise<FileAnswer> {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += String(piece);
    const { authorization, "content-type": type } = request.headers;
    const headers = { ...(authorization ? { authorization } : {}), ...(type ? { "content-type": type } : {}) };
    const asked: ReceivedRequest = { method: request.method ?? "GET", path: request.url ?? "/", headers, body };
    const path = asked.path.split("?", 1)[0] ?? "";
    if (path.endsWith("/page/scrape")) return this.#scrape(asked);
    if (path.endsWith("/cookies")) return this.#cookies(asked);
    if (path.endsWith("/replay")) return this.#replay(asked);
    const name = this.#names.get(path);
    return name === undefined ? this.#pass(asked) : this.#file(name, asked);
  }

  async #pass({ method, path, headers, body }: ReceivedRequest): Promise<FileAnswer> {
    const response = await fetch(`${this.#upstream}${path}`, {
      method,
      headers,
      redirect: "manual",
      ...(body === "" ? {} : { body }),
    });
    const type = response.headers.get("content-type");
    const content = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: type === null ? {} : { "content-type": type }, body: content };
  }

  async #scrape(asked: ReceivedRequest): Promise<FileAnswer> {
    const options: Partial<ScrapeOptions> = JSON.parse(asked.body);
    const changed = this.#twist.options?.({ ...defaultOptions, ...options }, options);
    const answer = await this.#pass({ ...asked, body: JSON.stringify(changed ?? options) });
    if (answer.status !== 200) return answer;
    const space: DataSpace = JSON.parse(formatText(answer));
    return json(scrapeStatus(this.#twist, options), this.#twist.scrape?.(space, options, nobody) ?? space);
  }

  async #cookies(asked: ReceivedRequest): Promise<FileAnswer> {
    const answer = await this.#pass(asked);
    if (answer.status !== 200) return answer;
    const { cookies }: { cookies: Browser["cookies"] } = JSON.parse(formatText(answer));
    return json(this.#twist.cookiesStatus ?? 200, { cookies: this.#twist.cookies?.(cookies, []) ?? cookies });
  }

  async #replay(asked: ReceivedRequest): Promise<FileAnswer> {
    const answer = await this.#pass(asked);
    if (answer.status !== 200) return answer;
    const replay: Replay = JSON.parse(formatText(answer));
    const here: Replay = {
      ...replay,
      mp4_url: replay.mp4_url.replace(this.#upstream, this.url),
      playlist_content: replay.playlist_content.replaceAll(this.#upstream, this.url),
    };
    this.#names.set(new URL(here.mp4_url).pathname, "movie.mp4");
    const segments = here.playlist_content.split(/\r?\n/).filter((line) => line.startsWith("http"));
    segments.forEach((address, index) => this.#names.set(new URL(address).pathname, `seg${index}.mpegts`));
    return json(this.#twist.replayStatus ?? 200, this.#twist.replay?.(here, this.url, asked.path) ?? here);
  }

  async #file(name: string, asked: ReceivedRequest): Promise<FileAnswer> {
    const answer = await this.#pass(asked);
    this.#files += 1;
    const times = (this.#timesAsked.get(asked.path) ?? 0) + 1;
    this.#timesAsked.set(asked.path, times);
    return this.#twist.file?.(name, answer, this.url, this.#files, times) ?? answer;
  }
}

const formatText = ({ body }: FileAnswer): string => Buffer.from(body ?? "").toString();

const json = (status: number, value: object): FileAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
