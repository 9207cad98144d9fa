import type { BrokenLine } from "../broken-line.ts";

const authentication = "service/src/http/authentication.ts";
const compares = "return token !== undefined && timingSafeEqual(digest(token), right);";
const holder = "const holder = await holderOf(c.req.raw);";
/** Takes requests of one kind for those of the service's own key. */
const lets = (path: string): string =>
  `const holder = (await holderOf(c.req.raw)) ?? (c.req.path.endsWith("/${path}") ? { name: null, roles: ["use"] } : undefined);`;

/** Who may ask, and what everybody else is told. */
export const authenticationLines: readonly BrokenLine[] = [
  { file: authentication, text: compares, becomes: "return true;", requirement: "scrape.requires-authentication" },
  {
    file: authentication,
    text: compares,
    becomes: "return token !== undefined;",
    requirement: "cookies.requires-authentication",
    sample: true,
  },
  {
    file: authentication,
    text: compares,
    becomes: "return token !== undefined && apiKey.startsWith(token);",
    requirement: "replay.requires-authentication",
  },
  {
    file: authentication,
    text: compares,
    becomes: "return token !== undefined && token.startsWith(apiKey);",
    requirement: "automation.401-invalid-key",
  },
  {
    file: "service/src/http/app.ts",
    text: holder,
    becomes: lets("cookies"),
    requirement: "cookies.requires-authentication",
  },
  {
    file: "service/src/http/app.ts",
    text: holder,
    becomes: lets("replay"),
    requirement: "replay.requires-authentication",
  },
  { file: "service/src/http/app.ts", text: "recordings\\/.+|", becomes: "", requirement: "replay.mp4_url.presigned" },
  {
    file: "service/src/http/authentication.ts",
    text: "Response.json({ error: why }, { status, headers })",
    becomes: "Response.json({ error: why }, { status: 403, headers })",
    requirement: "automation.401-missing-key",
  },
];
