import type { Hono } from "hono";
import type { ConsoleFiles } from "../console/console-files.ts";
import type { OwnWords } from "./own-words.ts";
import { answerProblem } from "./problems.ts";

/** Parts that the console needs. */
export interface ConsoleParts {
  /** Its files; undefined where it is turned off, or was not built. */
  readonly consoleFiles: ConsoleFiles | undefined;
  /** Returns the origin from which recordings are played; undefined when it is the service's own. */
  readonly findMediaOrigin: () => Promise<string | undefined>;
  /** Words of the service. Default: the neutral ones. */
  readonly words?: OwnWords | undefined;
}

/** Paths that show no secret: the page asks for an API key itself. */
export const consolePaths = /^\/(?:console\/.+)?$/;

/** Names of assets change with their content. */
const forever = "public, max-age=31536000, immutable";

/** The console, a page for people: at the root of the service, with its assets below `/console/`. */
export function addConsoleRoutes(app: Hono, { consoleFiles, findMediaOrigin, words }: ConsoleParts): void {
  if (!consoleFiles) {
    app.get("/", () =>
      answerProblem(
        404,
        "there is no console here: it is turned off, or was not built; the API is described by /control/openapi.json",
      ),
    );
    return;
  }
  const settings = JSON.stringify(words ?? {})
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;");
  const page = consoleFiles.page.replace("</head>", `  <meta name="cloud-browser" content="${settings}" />\n  </head>`);
  app.get("/", async (c) =>
    c.html(page, 200, {
      "content-security-policy": writePolicy(await findMediaOrigin()),
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
    }),
  );
  app.get("/console/*", (c) => {
    const file = consoleFiles.assets.get(c.req.path.slice("/console/".length));
    if (!file) return answerProblem(404, "there is no such file of the console");
    const isGzipped = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
    return c.body(isGzipped ? file.gzipped : file.bytes, 200, {
      "content-type": file.type,
      "cache-control": forever,
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
      ...(isGzipped ? { "content-encoding": "gzip" } : {}),
    });
  });
}

/** The page loads its own scripts and styles, pictures that it has made itself, and recordings from where they are; nothing else. */
function writePolicy(mediaOrigin: string | undefined): string {
  const media = mediaOrigin === undefined ? "'self'" : `'self' ${mediaOrigin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    `connect-src ${media}`,
    `media-src ${media} blob:`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
