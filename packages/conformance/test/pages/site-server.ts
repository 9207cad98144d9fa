/**
 * A server that conforms, as far as pages go: it really fetches what a session is opened on, keeps cookies, and scrapes
 * what is there. It can be made to break one sentence of the interface, and to differ where the interface leaves it free to.
 */
import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { liveTarget } from "../../src/run/live-target.ts";
import { type Target } from "../../src/target/target.ts";
import { pictures, type SiteFile } from "../../src/site/pages/pictures.ts";
import type { Answer } from "../targets/messages.ts";
import { serveAnswers, type Served, type SocketRequest } from "../targets/serve.ts";
import { Browser, type Cookie } from "./browser.ts";
import { plainDialect } from "./markdown-writer.ts";
import { defaultOptions, scrape, type DataSpace, type ScrapeOptions, type Taste } from "./scrape.ts";

export const apiKey = "page-test-key-0123456789";
/** The credential of presigned URLs. */
export const signature = "presigned-secret-4711";

export interface Replay {
  mp4_url: string;
  playlist_content: string;
  expires_at: string;
  video_start_ms: number;
  video_duration_ms: number;
}

export interface FileAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}

/** One way to differ: each part is given what a correct server would do. */
export interface Twist {
  readonly taste?: Partial<Taste>;
  readonly options?: (options: ScrapeOptions, request: object) => ScrapeOptions;
  readonly scrape?: (answer: DataSpace, request: Partial<ScrapeOptions>, browser: Browser) => DataSpace;
  /** The browser that answers for a session; given all of them in the order in which they were opened. */
  readonly browser?: (own: Browser, all: readonly Browser[], operation: "scrape" | "cookies") => Browser;
  readonly cookies?: (own: readonly Cookie[], all: readonly Browser[]) => readonly object[];
  readonly replay?: (replay: Replay, origin: string, id: string) => Replay;
  readonly replayStatus?: number;
  /** Given how many files have been asked for, and how often this address, this request counted. */
  readonly file?: (name: string, answer: FileAnswer, origin: string, count: number, times: number) => FileAnswer;
  /** Keeps copies of all images at addresses of its own; given a picture of the page. Default: images have the addresses that the page has. */
  readonly copies?: (picture: SiteFile, count: number) => FileAnswer;
  /** Lifetime of file addresses, in milliseconds. Default: an hour. */
  readonly lastsMs?: number;
  readonly scrapeStatus?: number | ((request: Partial<ScrapeOptions>) => number);
  readonly cookiesStatus?: number;
  /** Number of replay reads that are answered with 404 before the recording is ready. */
  readonly slowRecording?: number;
  /** True when all sessions share one browser profile. */
  readonly oneProfile?: boolean;
}

/** Default behaviour of a server where the interface leaves it open. */
export const plainTaste: Taste = {
  dialect: plainDialect,
  placeholder: (kind, _, number) => `${kind}-${number}`,
  imageUrl: (address) => address,
  otherImages: true,
  nulls: true,
};

export const media = (name: string): Uint8Array =>
  readFileSync(new URL(`../recordings/media/${name}`, import.meta.url));

interface Session {
  readonly browser: Browser;
  ended: boolean;
}

export class SiteServer implements AsyncDisposable {
  readonly sessions = new Map<string, Session>();
  /** Downloads that came with credentials. */
  leaked = 0;
  #served: Served | undefined;
  readonly #twist: Twist;
  #replayReads = 0;
  #fileReads = 0;
  #copyReads = 0;
  /** Number of requests for each file of each session. */
  readonly #timesAsked = new Map<string, number>();

  private constructor(twist: Twist) {
    this.#twist = twist;
  }

  static async start(twist: Twist = {}): Promise<SiteServer> {
    const server = new SiteServer(twist);
    server.#served = await serveAnswers((request) => server.answer(request));
    return server;
  }

  get url(): string {
    return this.#served?.url ?? "";
  }

  /** The server as a target whose sessions are opened by a function. */
  get target(): Target {
    return liveTarget({
      baseUrl: this.url,
      apiKey,
      sessionId: "none",
      openSession: (url) => this.open(url),
      endSession: (id) => this.end(id),
    });
  }

  async open(url: string): Promise<string> {
    const id = randomUUID();
    const browser = new Browser();
    if (this.#twist.oneProfile) browser.cookies.push(...this.#browsers.flatMap((other) => other.cookies));
    this.sessions.set(id, { browser, ended: false });
    await browser.open(url);
    return id;
  }

  async end(id: string): Promise<void> {
    const session = this.sessions.get(id);
    if (!session || session.ended) throw new Error(`there is no open session ${id}`);
    session.ended = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served?.[Symbol.asyncDispose]();
  }

  /** Answers a request, however it came. */
  async answer(request: SocketRequest): Promise<Answer> {
    return writeAnswer(await this.#answerRequest(request));
  }

  get #browsers(): Browser[] {
    return [...this.sessions.values()].map(({ browser }) => browser);
  }

  async #answerRequest({ path, query, headers: { authorization }, body }: SocketRequest): Promise<FileAnswer> {
    const [, first = "", second = "", ...rest] = path.split("/");
    if (first === "control") return this.#control(second, query);
    if (first === "copies") return this.#copy(second);
    if (first === "files") return this.#file(second, query, authorization);
    if (authorization !== `Bearer ${apiKey}`) return json(401, { detail: "no key" });
    const session = this.sessions.get(second);
    return session ? this.#answer(rest.join("/"), second, session, body) : json(404, { detail: "no session" });
  }

  async #control(what: string, parameters: URLSearchParams): Promise<FileAnswer> {
    if (what === "open") return { status: 200, body: `${await this.open(parameters.get("url") ?? "")}\n` };
    await this.end(parameters.get("id") ?? "");
    return { status: 200 };
  }

  #answer(path: string, id: string, session: Session, body: string): FileAnswer {
    const { browser: choose = (own: Browser) => own } = this.#twist;
    if (path === "page/scrape") {
      const browser = choose(session.browser, this.#browsers, "scrape");
      const request: Partial<ScrapeOptions> = JSON.parse(body);
      const answer = json(scrapeStatus(this.#twist, request), this.#scrape(browser, request));
      session.browser.runTimers();
      return answer;
    }
    if (path === "cookies") {
      const { cookies } = choose(session.browser, this.#browsers, "cookies");
      const list = this.#twist.cookies?.(cookies, this.#browsers) ?? cookies;
      return json(this.#twist.cookiesStatus ?? 200, { cookies: list });
    }
    if (!session.ended) return json(409, { detail: "the session has not ended" });
    this.#replayReads += 1;
    if (this.#replayReads <= (this.#twist.slowRecording ?? 0)) return json(404, { detail: "not yet" });
    const replay = this.#replay(id);
    return json(this.#twist.replayStatus ?? 200, this.#twist.replay?.(replay, this.url, id) ?? replay);
  }

  #scrape(browser: Browser, request: Partial<ScrapeOptions>): DataSpace {
    const options = { ...defaultOptions, ...request };
    const answer = scrape(browser, this.#twist.options?.(options, request) ?? options, {
      ...plainTaste,
      ...(this.#twist.copies && { imageUrl: (_: string, address: string) => this.#makeCopyAddress(address) }),
      ...this.#twist.taste,
    });
    return this.#twist.scrape?.(answer, request, browser) ?? answer;
  }

  /** The address of a copy, of which nothing tells what it is a copy of. */
  #makeCopyAddress(address: string): string {
    const name = address.split("/").at(-1) ?? "";
    return `${this.url}/copies/${Buffer.from(name).toString("hex")}?signature=${signature}`;
  }

  #copy(id: string): FileAnswer {
    const picture = pictures.get(Buffer.from(id, "hex").toString());
    this.#copyReads += 1;
    return picture && this.#twist.copies ? this.#twist.copies(picture, this.#copyReads) : { status: 404 };
  }

  #replay(id: string): Replay {
    const lasts = this.#twist.lastsMs ?? 3_600_000;
    const until = Date.now() + lasts;
    return {
      mp4_url: this.fileUrl("movie.mp4", id, until),
      playlist_content: playlist([this.fileUrl("seg0.mpegts", id, until), this.fileUrl("seg1.mpegts", id, until)]),
      expires_at: new Date(until).toISOString(),
      video_start_ms: 120,
      video_duration_ms: 2000,
    };
  }

  fileUrl(name: string, id: string, until: number): string {
    return `${this.url}/files/${name}?signature=${signature}&of=${id}&until=${until}`;
  }

  /** As stores do: an address with a signature, and no other credentials beside it. */
  #file(name: string, parameters: URLSearchParams, authorization: string | undefined): FileAnswer {
    if (authorization !== undefined) this.leaked += 1;
    const until = Number(parameters.get("until"));
    this.#fileReads += 1;
    const address = `${name} of ${parameters.get("of")}`;
    const times = (this.#timesAsked.get(address) ?? 0) + 1;
    this.#timesAsked.set(address, times);
    const allowed = parameters.get("signature") === signature && authorization === undefined && Date.now() < until;
    const headers = { "content-type": name.endsWith(".mpegts") ? "video/mp2t" : "video/mp4" };
    const answer: FileAnswer = allowed
      ? {
          status: 200,
          headers,
          body: name.endsWith(".mp4") ? marked(media(name), parameters.get("of") ?? "") : media(name),
        }
      : { status: 403, body: `<Error><SignatureProvided>${parameters.get("signature")}</SignatureProvided></Error>` };
    return this.#twist.file?.(name, answer, this.url, this.#fileReads, times) ?? answer;
  }
}

/** The status of a scrape. */
export function scrapeStatus({ scrapeStatus: parameters = 200 }: Twist, request: Partial<ScrapeOptions>): number {
  return typeof parameters === "number" ? parameters : parameters(request);
}

/** A movie whose samples are those of one session: no two recordings have the same pictures. */
export function marked(movie: Uint8Array, id: string): Uint8Array {
  const bytes = Buffer.from(movie);
  for (let box = 0; box + 8 <= bytes.length; box += bytes.readUInt32BE(box)) {
    const isData = bytes.toString("latin1", box + 4, box + 8) === "mdat";
    const end = isData ? box + bytes.readUInt32BE(box) : box;
    for (let at = box + 8; at < end; at += 1) bytes[at] = (bytes[at] ?? 0) ^ id.charCodeAt((at - box) % id.length);
  }
  return bytes;
}

export function playlist(addresses: readonly string[], seconds = "1.000", head = ""): string {
  const segments = addresses.map((address) => `#EXTINF:${seconds},\n${address}\n`).join("");
  const version = head === "" ? 3 : 6; // initialization sections came with the sixth
  return `#EXTM3U\n#EXT-X-VERSION:${version}\n#EXT-X-TARGETDURATION:1\n${head}${segments}#EXT-X-ENDLIST\n`;
}

/** An answer in JSON. */
export const json = (status: number, value: object): FileAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

/** The answer as it is sent. */
export const writeAnswer = ({ status, headers = {}, body }: FileAnswer): Answer => ({
  status,
  headers,
  pieces: body === undefined ? [] : [body],
});
