/**
 * A proxy before a service that conforms: it passes on what comes and goes, but for what a twist changes. So a fault that was
 * written for the simulated server is tried on a real one.
 */
import { serveAnswers, type Served, type SocketRequest } from "../targets/serve.ts";
import { Browser } from "./browser.ts";
import { defaultOptions, type DataSpace, type ScrapeOptions } from "./scrape.ts";
import { json, scrapeStatus, writeAnswer, type FileAnswer, type Replay, type Twist } from "./site-server.ts";

/** Returns whether a proxy can make the change: it can change requests and responses, but not the browsers. */
export function isForProxy({ browser, taste, oneProfile, lastsMs, slowRecording }: Twist): boolean {
  return [browser, taste, oneProfile, lastsMs, slowRecording].every((part) => part === undefined);
}

/** Nothing of a real browser is known here. */
const nobody = new Browser();

export class TwistProxy implements AsyncDisposable {
  #served: Served | undefined;
  readonly #upstream: string;
  readonly #twist: Twist;
  /** Names by which twists know files, by their paths. */
  readonly #names = new Map<string, string>();
  #files = 0;
  /** Number of requests for each file, by its path. */
  readonly #timesAsked = new Map<string, number>();
  private constructor(upstream: string, twist: Twist) {
    this.#upstream = upstream;
    this.#twist = twist;
  }

  static async start(upstream: string, twist: Twist): Promise<TwistProxy> {
    const proxy = new TwistProxy(upstream, twist);
    proxy.#served = await serveAnswers(async (request) => writeAnswer(await proxy.#answer(request)));
    return proxy;
  }

  /** Its own address. */
  get url(): string {
    return this.#served?.url ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served?.[Symbol.asyncDispose]();
  }

  async #answer(request: SocketRequest): Promise<FileAnswer> {
    const { path } = request;
    if (path.endsWith("/page/scrape")) return this.#scrape(request);
    if (path.endsWith("/cookies")) return this.#cookies(request);
    if (path.endsWith("/replay")) return this.#replay(request);
    const name = this.#names.get(path);
    return name === undefined ? this.#pass(request) : this.#file(name, request);
  }

  async #pass({
    method,
    url,
    headers: { authorization, "content-type": media },
    body,
  }: SocketRequest): Promise<FileAnswer> {
    const response = await fetch(`${this.#upstream}${url}`, {
      method,
      headers: { ...(authorization ? { authorization } : {}), ...(media ? { "content-type": media } : {}) },
      redirect: "manual",
      ...(body === "" ? {} : { body }),
    });
    const type = response.headers.get("content-type");
    const content = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: type === null ? {} : { "content-type": type }, body: content };
  }

  async #scrape(request: SocketRequest): Promise<FileAnswer> {
    const options: Partial<ScrapeOptions> = JSON.parse(request.body);
    const changed = this.#twist.options?.({ ...defaultOptions, ...options }, options);
    const answer = await this.#pass({ ...request, body: JSON.stringify(changed ?? options) });
    if (answer.status !== 200) return answer;
    const space: DataSpace = JSON.parse(formatText(answer));
    return json(scrapeStatus(this.#twist, options), this.#twist.scrape?.(space, options, nobody) ?? space);
  }

  async #cookies(request: SocketRequest): Promise<FileAnswer> {
    const answer = await this.#pass(request);
    if (answer.status !== 200) return answer;
    const { cookies }: { cookies: Browser["cookies"] } = JSON.parse(formatText(answer));
    return json(this.#twist.cookiesStatus ?? 200, { cookies: this.#twist.cookies?.(cookies, []) ?? cookies });
  }

  async #replay(request: SocketRequest): Promise<FileAnswer> {
    const answer = await this.#pass(request);
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
    return json(this.#twist.replayStatus ?? 200, this.#twist.replay?.(here, this.url, request.url) ?? here);
  }

  async #file(name: string, request: SocketRequest): Promise<FileAnswer> {
    const answer = await this.#pass(request);
    this.#files += 1;
    const times = (this.#timesAsked.get(request.url) ?? 0) + 1;
    this.#timesAsked.set(request.url, times);
    return this.#twist.file?.(name, answer, this.url, this.#files, times) ?? answer;
  }
}

const formatText = ({ body }: FileAnswer): string => Buffer.from(body ?? "").toString();
