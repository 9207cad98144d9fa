import type { Hono } from "hono";
import { loadPageImage } from "../../sessions/page-image.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { answerInvalid, answerProblem } from "../problems.ts";
import { noPageText } from "../../session-refusals.ts";

/** Parts that the route of images needs. */
export interface ImageRouteParts {
  /** The sessions. */
  readonly sessions: Sessions;
}

/** How an image is seen as the pages of a session see it, by the key that created the session: nobody else's browser asks for it. */
export function addImageRoutes(app: Hono, { sessions }: ImageRouteParts): void {
  app.get("/control/sessions/:session_id/image", async (c) => {
    const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    const url = URL.parse(c.req.query("url") ?? "");
    if (url === null || !/^https?:$/.test(url.protocol))
      return answerInvalid([
        { loc: ["query", "url"], msg: "Input should be an http or https address", type: "value_error" },
      ]);
    const { current: page } = session.activePage;
    if (!page) return answerProblem(409, noPageText);
    const image = await loadPageImage(page, url);
    if (typeof image === "string") return answerProblem(404, `the image can't be shown: ${image}`);
    return c.body(image.bytes, 200, {
      "content-type": image.type,
      "cache-control": "private, max-age=300",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
  });
}
