import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { html, listElements } from "./element-tree.ts";
import { fixedPages } from "./fixed-pages.ts";
import { mutate } from "./mutations.ts";
import { productsPage } from "./product-pages.ts";
import { shopPage } from "./shop-page.ts";
import { accountPage, htmlDocument, loginPage, longForm, sentForm } from "./site-pages.ts";
import { listenOnLoopback } from "../site.ts";

/** A site on loopback for automations, over real HTTP. */
export interface AutomationSite extends AsyncDisposable {
  /** Its address, without a slash at its end. */
  readonly url: string;
  /** Methods and paths of the requests, in order. */
  readonly requests: string[];
}

/** Account that may sign in at `/login`. */
export const account = { user: "ada", password: "correct horse" } as const;

/**
 * Starts the site. Its pages:
 *
 * - `/`: links to the others.
 * - `/login`: user and password, leads to `/account`, which shows the user's name and orders; a wrong password is reported.
 * - `/products?q=&page=`: search with a table of results over several pages (link `Next`); `/products-app`: a table over three
 *   pages by script, with a button that is disabled on the last.
 * - `/form`: text, e-mail, number, date, select, radio, checkbox, textarea, password; `/form/sent` lists what was sent.
 * - `/shop?layout=N`: a page in ten layouts (0 is the original); `/shop?seed=N`: changed at random, by the seed; `&without=NAME`: without
 *   the element of that
 *   `data-truth`.
 * - `/frames`, `/shadow`, `/popup`, `/late`, `/dialog`, `/covered`, `/twins`, `/boxes`, `/long`, `/lists`, `/product`, `/repeats`.
 * - `/fails`: status 500; `/drops`: the connection is cut; `/hangs`: nothing comes; `/slow`: comes after half a second.
 */
export async function startAutomationSite(): Promise<AutomationSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  return listenOnLoopback(server, requests);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const send = (page: string, status = 200): void =>
    void response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(page);
  const lead = (location: string, cookie?: string): void =>
    void response.writeHead(303, { location, ...(cookie === undefined ? {} : { "set-cookie": cookie }) }).end();
  const fixed = fixedPages[pathname];
  if (fixed !== undefined) return send(fixed);
  switch (pathname) {
    case "/login": {
      const form = request.method === "POST" ? await readForm(request) : undefined;
      if (form === undefined) return send(loginPage());
      const isRight = form.get("user") === account.user && form.get("password") === account.password;
      return isRight ? lead("/account", "sid=s-1; HttpOnly; Path=/") : send(loginPage("Wrong user or password."));
    }
    case "/account":
      return (request.headers.cookie ?? "").includes("sid=s-1") ? send(accountPage) : lead("/login");
    case "/logout":
      return lead("/login", "sid=; Max-Age=0; Path=/");
    case "/products":
      return send(productsPage(searchParams.get("q") ?? "", Number(searchParams.get("page") ?? 1)));
    case "/form":
      return send(longForm);
    case "/form/sent":
      return send(sentForm(await readForm(request)));
    case "/shop":
      return send(renderShop(searchParams));
    case "/fails":
      return send(htmlDocument("Broken", "<h1>Something went wrong</h1>"), 500);
    case "/drops":
      return void request.socket.destroy();
    case "/hangs":
      return;
    case "/slow":
      return void setTimeout(() => send(htmlDocument("Slow", "<h1>Slow</h1>")), 500);
    default:
      return send(htmlDocument("Missing", "<h1>Not here</h1>"), 404);
  }
}

function renderShop(query: URLSearchParams): string {
  const page = shopPage();
  const layout = Number(query.get("layout") ?? 0);
  const seed = query.get("seed");
  const missing = query.get("without");
  for (const { element, parent } of listElements(page)) {
    if (missing !== null && element.attributes["data-truth"] === missing)
      parent?.children.splice(parent.children.indexOf(element), 1);
  }
  if (seed !== null) mutate(page, Number(seed));
  else if (layout > 0) mutate(page, 1000 + layout);
  return htmlDocument("Shop", html(page));
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  return new URLSearchParams(body);
}
