import type { BrokenLine } from "../broken-line.ts";

const cookies = "service/src/sessions/session-cookies.ts";
const expiry = "...(cookie.session ? {} : { expires: cookie.expires, expirationDate: cookie.expires }),";
const own = "cookies.reads-session-cookies";
const type = (name: string): string => `cookies.cookie.${name}.type`;

/** Whose cookies are read, and what they are told as. */
export const cookieLines: readonly BrokenLine[] = [
  { file: cookies, text: "name: cookie.name,", becomes: "name: [cookie.name],", requirement: type("name") },
  {
    file: cookies,
    text: "value: cookie.value,",
    becomes: "value: { text: cookie.value },",
    requirement: type("value"),
  },
  { file: cookies, text: "domain: cookie.domain,", becomes: "domain: [cookie.domain],", requirement: type("domain") },
  { file: cookies, text: "path: cookie.path,", becomes: "path: [cookie.path],", requirement: type("path") },
  {
    file: cookies,
    text: "httpOnly: cookie.httpOnly,",
    becomes: "httpOnly: String(cookie.httpOnly),",
    requirement: type("httpOnly"),
  },
  {
    file: cookies,
    text: 'hostOnly: !cookie.domain.startsWith("."),',
    becomes: 'hostOnly: cookie.domain.startsWith(".") ? 0 : 1,',
    requirement: type("hostOnly"),
  },
  {
    file: cookies,
    text: "secure: cookie.secure,",
    becomes: "secure: Number(cookie.secure),",
    requirement: type("secure"),
  },
  {
    file: cookies,
    text: "session: cookie.session,",
    becomes: "session: String(cookie.session),",
    requirement: type("session"),
  },
  { file: cookies, text: "    storeId,", becomes: "    storeId: 0,", requirement: type("storeId") },
  {
    file: cookies,
    text: expiry,
    becomes: "expires: new Date(cookie.expires * 1000).toISOString(),",
    requirement: type("expires"),
  },
  {
    file: cookies,
    text: expiry,
    becomes: "expirationDate: String(cookie.expires),",
    requirement: type("expirationDate"),
  },
  {
    file: cookies,
    text: "...(cookie.sameSite === undefined ? {} : { sameSite: cookie.sameSite }),",
    becomes: "sameSite: 1,",
    requirement: type("sameSite"),
  },
  {
    file: cookies,
    text: "...(cookie.partitionKey === undefined ? {} : { partitionKey: cookie.partitionKey.topLevelSite }),",
    becomes: "partitionKey: cookie.partitionKey ?? {},",
    requirement: type("partitionKey"),
  },
  {
    file: cookies,
    text: "return cookies.map((cookie)",
    becomes: "return cookies.filter((cookie) => !cookie.httpOnly).map((cookie)",
    requirement: own,
  },
  {
    file: "browsers/src/storage/context-cookies.ts",
    text: 'devtools.send("Storage.getCookies", { browserContextId: of.contextId })',
    becomes: 'devtools.send("Storage.getCookies", {})',
    requirement: own,
    sample: true,
  },
  {
    file: "service/src/http/interface-routes.ts",
    text: "const body: CookiesResponse = { cookies };\n    return c.json(body);",
    becomes: "return c.json(cookies);",
    requirement: "cookies.body",
  },
  {
    file: "service/src/http/interface-routes.ts",
    text: "const body: CookiesResponse = { cookies };\n    return c.json(body);",
    becomes: "return c.json({ cookies: cookies.map(({ name }) => name) });",
    requirement: "cookies.items",
  },
];
