/**
 * As much of a browser as the fixture site needs: it fetches a page over HTTP, keeps cookies, runs the page's scripts, and goes
 * where they lead.
 */
import { runInNewContext } from "node:vm";
import { parsePage, type DomDocument } from "./dom.ts";

export interface Cookie {
  name: string;
  value: string;
  domain: string;
  path: string;
  httpOnly: boolean;
  secure: boolean;
  session: boolean;
  sameSite: string;
  expirationDate?: number;
}

export class Browser {
  readonly cookies: Cookie[] = [];
  /** Source of the requested page. */
  source = "";
  document: DomDocument = parsePage("<html></html>");
  url = "about:blank";
  /** Timers of the scripts of the page. */
  readonly #timers: (() => void)[] = [];

  async open(url: string): Promise<void> {
    const mine = this.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { headers: { ...oneRequest, ...(mine !== "" && { cookie: mine }) } });
    for (const line of response.headers.getSetCookie()) this.#setCookie(line, url);
    this.url = url;
    this.source = await response.text();
    this.document = parsePage(this.source);
    await loadFrames(this.document, url);
    const next = await this.#runScripts();
    if (next !== undefined) await this.open(new URL(next, url).href);
  }

  /** Does what the scripts have put off: after an event, so that no test depends on what comes first. */
  runTimers(): void {
    for (const work of this.#timers.splice(0)) work();
  }

  /** Gives where the scripts lead. */
  async #runScripts(): Promise<string | undefined> {
    const { document, url } = this;
    let next: string | undefined;
    const onLoad: (() => unknown)[] = [];
    const fetched: Promise<unknown>[] = [];
    Object.defineProperty(document, "cookie", {
      set: (line: string) => {
        this.#setCookie(line, url);
      },
    });
    const globals = {
      document,
      location: { replace: (to: string) => (next = to) },
      addEventListener: (_: string, listener: () => unknown) => onLoad.push(listener),
      performance,
      setInterval: () => 0,
      setTimeout: (work: () => void) => void this.#timers.push(work),
      fetch: async (to: string) => {
        const answer = fetch(new URL(to, url), { headers: oneRequest });
        fetched.push(answer);
        await answer;
      },
    };
    for (const script of document.querySelectorAll("script:not([type])")) {
      runInNewContext(script.textContent ?? "", globals);
    }
    if (next === undefined) for (const listener of onLoad) listener();
    await Promise.all(fetched);
    return next;
  }

  #setCookie(line: string, url: string): void {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf("="));
    const value = pair.slice(name.length + 1);
    const attributeValues = new Map(
      attributes.map((text): [string, string] => [
        text.split("=", 1)[0]?.toLowerCase() ?? "",
        text.slice(text.indexOf("=") + 1),
      ]),
    );
    const secure = attributeValues.has("secure");
    if (secure && url.startsWith("http:")) return; // as browsers do, but for loopback
    const age = attributeValues.get("max-age");
    const expiry = attributeValues.get("expires");
    const expires = age === undefined ? expiry && Date.parse(expiry) : Date.now() + Number(age) * 1000;
    const path = attributeValues.get("path") ?? "/";
    const others = this.cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
    this.cookies.splice(0, this.cookies.length, ...others);
    if (typeof expires === "number" && expires <= Date.now()) return;
    this.cookies.push({
      name,
      value,
      domain: new URL(url).hostname,
      path,
      httpOnly: attributeValues.has("httponly"),
      secure,
      session: typeof expires !== "number",
      sameSite: attributeValues.get("samesite") ?? "Lax",
      ...(typeof expires === "number" ? { expirationDate: expires / 1000 } : {}),
    });
  }
}

/** A connection for each request: one that was kept may be closed by the site at the moment at which it is used again. */
const oneRequest = { connection: "close" };

/** Puts the document of each frame where the frame is. */
async function loadFrames(document: DomDocument, url: string): Promise<void> {
  for (const frame of document.querySelectorAll("iframe")) {
    const from = new URL(frame.getAttribute("src") ?? "", url).href;
    const inside = parsePage(await (await fetch(from, { headers: oneRequest })).text());
    await loadFrames(inside, from);
    frame.innerHTML = inside.body.innerHTML;
  }
}
