import { randomBytes, randomInt } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import pTimeout from "p-timeout";
import { SuiteError } from "../http/suite-error.ts";
import { pageNames, type PageCookie, type PageName } from "../target/opened-pages.ts";
import { almanac, innerFrame, outerFrame } from "./pages/almanac.ts";
import { article } from "./pages/article.ts";
import { cookieJar, type CookieJar } from "./pages/cookies.ts";
import { markers } from "./pages/markers.ts";
import type { PageSource } from "./pages/page-source.ts";
import { pictureFolder, pictures, type SiteFile } from "./pages/pictures.ts";
import { productPage, startPage } from "./pages/product.ts";
import { recordingPage } from "./pages/recording.ts";

/** The page that a session is opened on, where that page navigates to another one. */
const entrances: Partial<Record<PageName, string>> = { product: "start" };

const sources: Readonly<Record<PageName, (source: PageSource) => string>> = {
  article,
  product: productPage,
  almanac,
  recording: recordingPage,
};

/** Documents that no session is opened on: one that navigates to another page, and those in frames. */
const otherDocuments: ReadonlyMap<string, () => string> = new Map([
  ["start", startPage],
  ["frame", outerFrame],
  ["frame-within", innerFrame],
]);

/**
 * Serves a few pages with known content, so that the result of a scrape can be compared with it.
 *
 * Everything lies below a folder with a random name: nobody finds it by chance, and no cache knows it. It sends nothing by itself.
 */
export class FixtureSite implements AsyncDisposable {
  /** Address of the folder that the pages lie in, without a slash at its end. */
  readonly address: string;
  /** Host of the pages, without a port. */
  readonly host: string;
  /** Number that identifies the recorded page among those of other runs, 0 to 255. */
  readonly mark = randomInt(256);
  readonly #server: Server;
  readonly #folder: string;
  readonly #changeAfterMs: number;
  readonly #changed = Promise.withResolvers<void>();
  readonly #jars: ReadonlyMap<PageName, CookieJar>;
  readonly #requested = new Map(pageNames.map((page) => [page, Promise.withResolvers<void>()]));
  readonly #loaded = new Map(pageNames.map((page) => [page, Promise.withResolvers<void>()]));
  #sharesCookies = false;

  private constructor(server: Server, folder: string, host: string, port: number, changeAfterMs: number) {
    this.#server = server;
    this.#folder = folder;
    this.host = host;
    this.#changeAfterMs = changeAfterMs;
    this.address = `http://${host}:${port}${folder}`;
    this.#jars = new Map(pageNames.map((page) => [page, cookieJar(page, folder, host)]));
    server.on("request", (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response));
  }

  /**
   * Starts it on a free port, on the loopback address unless the browser is elsewhere.
   *
   * @param siteHost - Name or address, with or without a port, by which the browser reaches this machine. Default: `127.0.0.1`.
   * @param changeAfterMs - Time from loading until the page that changes itself does so, in milliseconds. Default: 1,000.
   * @throws {SuiteError} `usage` when that is not a host, or the site can't listen there.
   */
  static async start(siteHost = "127.0.0.1", changeAfterMs = 1_000): Promise<FixtureSite> {
    const [, host, port] = /^([A-Za-z0-9.-]+)(?::(\d{1,5}))?$/.exec(siteHost) ?? [];
    if (host === undefined) {
      throw new SuiteError(
        "usage",
        `invalid host "${siteHost}"; give a name or an IPv4 address, with or without :port (\`siteHost\`)`,
      );
    }
    const local = host === "localhost" || host.startsWith("127.");
    const server = createServer({ maxHeaderSize: 256 * 1024 }); // a browser with many cookies still gets the page
    const heardOn = await listen(server, Number(port ?? 0), local ? "127.0.0.1" : undefined);
    return new FixtureSite(server, `/${randomBytes(6).toString("hex")}`, host, heardOn, changeAfterMs);
  }

  /** Returns the address on which a session is opened to reach a page. */
  findEntrance(page: PageName): string {
    return `${this.address}/${entrances[page] ?? page}`;
  }

  /** Returns the address of a page. */
  findAddress(page: PageName): string {
    return `${this.address}/${page}`;
  }

  /** Returns the cookies that a page sets. */
  listCookies(page: PageName): readonly PageCookie[] {
    return this.#jars.get(page)?.cookies ?? [];
  }

  /** Returns the secret part of the cookie values of a page. */
  findSecret(page: PageName): string | undefined {
    return this.#jars.get(page)?.secret;
  }

  /** Returns all words of a page: its source with those of its frames, and what its scripts write. */
  readSource(page: PageName): string {
    const own = sources[page]({ address: this.address, script: "", changeAfterMs: 0, mark: this.mark });
    const words = [...Object.values(markers.rendered), ...Object.values(markers.after)];
    return [own, ...(page === "almanac" ? [outerFrame(), innerFrame()] : []), ...words].join("\n");
  }

  /** True when a request for one page had the cookies of another one. */
  get sharesCookies(): boolean {
    return this.#sharesCookies;
  }

  /** Waits until a browser has requested a page; false after the given time. */
  async wasRequested(page: PageName, withinMs: number): Promise<boolean> {
    return within(this.#requested.get(page), withinMs);
  }

  /** Waits until a page has reported that it has loaded; false after the given time. */
  async hasLoaded(page: PageName, withinMs: number): Promise<boolean> {
    return within(this.#loaded.get(page), withinMs);
  }

  /** Waits until the page that changes itself has reported that it did; false after the given time. */
  async hasChanged(withinMs: number): Promise<boolean> {
    return within(this.#changed, withinMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const name = path.startsWith(`${this.#folder}/`) ? path.slice(this.#folder.length + 1) : "";
    const page = pageNames.find((one) => one === name);
    if (page !== undefined) return this.#answerPage(page, request, response);
    const loaded = pageNames.find((one) => name === `loaded/${one}`);
    if (loaded !== undefined) {
      this.#loaded.get(loaded)?.resolve();
      return write(response, 204, undefined);
    }
    if (name === "changed") {
      this.#changed.resolve();
      return write(response, 204, undefined);
    }
    const other = otherDocuments.get(name);
    if (other) return write(response, 200, { type: "text/html; charset=utf-8", body: other() });
    const file = name.startsWith(`${pictureFolder}/`) ? pictures.get(name.slice(pictureFolder.length + 1)) : undefined;
    write(response, file ? 200 : 404, file);
  }

  #answerPage(page: PageName, request: IncomingMessage, response: ServerResponse): void {
    const jar = this.#jars.get(page);
    const others = pageNames.filter((other) => other !== page).flatMap((other) => this.listCookies(other));
    if (others.some(({ value }) => request.headers.cookie?.includes(value))) this.#sharesCookies = true;
    this.#requested.get(page)?.resolve();
    const notify = `fetch("loaded/${page}").catch(() => {});`;
    const script = `${jar?.script ?? ""}\naddEventListener("load", () => { ${notify} });`;
    const body = sources[page]({ address: this.address, script, changeAfterMs: this.#changeAfterMs, mark: this.mark });
    write(response, 200, { type: "text/html; charset=utf-8", body }, jar?.headers);
  }
}

function write(
  response: ServerResponse,
  status: number,
  file: SiteFile | undefined,
  cookies: readonly string[] = [],
): void {
  response.writeHead(status, {
    "cache-control": "no-store",
    ...(file === undefined ? {} : { "content-type": file.type }),
    ...(cookies.length === 0 ? {} : { "set-cookie": [...cookies] }),
  });
  response.end(file?.body);
}

/** Waits for something; false after the given time. */
async function within(awaited: PromiseWithResolvers<void> | undefined, ms: number): Promise<boolean> {
  const isThere = awaited?.promise.then(() => true);
  return isThere !== undefined && pTimeout(isThere, { milliseconds: ms, fallback: () => false });
}

function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const advice = "choose another port with `siteHost`";
      reject(new SuiteError("usage", `the fixture site could not listen (${cause.message}); ${advice}`, { cause }));
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}
