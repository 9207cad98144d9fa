import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import type { Page } from "playwright-core";
import type { SessionView } from "../../src/control/session-view.ts";
import { driveSession } from "../drive-session.ts";

/** A site that counts in its local storage how often it was shown, and is logged in to by a cookie. */
export interface CountingSite extends Site {
  /** Cookies of the requests for its page, in their order. */
  readonly cookies: readonly string[];
}

/** Starts that site; `/login` sets the cookie. */
export async function startCountingSite(): Promise<CountingSite> {
  const cookies: string[] = [];
  const page = `<title>App</title><script>
    localStorage.setItem("count", Number(localStorage.getItem("count") ?? 0) + 1);
  </script>`;
  const site = await startSite({
    "/": (request, response) => {
      cookies.push(request.headers.cookie ?? "");
      response.writeHead(200, { "content-type": "text/html" }).end(page);
    },
    "/login": (_, response) =>
      void response
        .writeHead(200, { "content-type": "text/html", "set-cookie": "session=cookie-secret; Path=/; HttpOnly" })
        .end(page),
    "/drops": ({ socket }) => void socket.destroy(),
  });
  return Object.assign(site, { cookies });
}

/** Acts on the page of a session. */
export async function drive<Result>(session: SessionView, act: (page: Page) => Promise<Result>): Promise<Result> {
  const { browser, page } = await driveSession(session);
  const result = await act(page);
  await browser.close();
  return result;
}

/** Reads how often the site was shown in what a session knows. */
export function countIn(session: SessionView): Promise<number> {
  return drive(session, (page) => page.evaluate(() => Number(localStorage.getItem("count"))));
}
