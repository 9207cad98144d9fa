import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let sessionId: string;

beforeAll(async () => {
  running = await startTestService();
  sessionId = (await running.open()).session_id;
});

afterAll(() => running?.[Symbol.asyncDispose]());

/** The status, and where each fault lies. */
async function refusal(path: string, body: unknown): Promise<{ status: number; places: string[]; text: string }> {
  const response = await running.ask("POST", path, body);
  const text = await response.text();
  const { detail }: { detail?: unknown } = JSON.parse(text);
  const places = Array.isArray(detail) ? detail.map((fault: { loc: unknown[] }) => fault.loc.join(".")) : [];
  return { status: response.status, places, text };
}

const cookie = { name: "tray", value: "hunter2", domain: "example.com" };
const hostOnly = { ...cookie, name: "__Host-a", secure: true };
const fine = { name: "fine", value: "x", domain: "example.com" };

describe("invalid session options are reported with their location, and without secrets", () => {
  test.each<[what: string, body: object, place: string]>([
    ["an address of another scheme", { url: "ftp://example.com/" }, "body.url"],
    ["an address without a host", { url: "https://" }, "body.url"],
    ["an address that is not global", { url: "http://10.0.0.1/" }, "body.url"],
    ["a window that is too small", { viewport: { width: 10, height: 720 } }, "body.viewport.width"],
    ["a window of a part of a pixel", { viewport: { width: 640.5, height: 720 } }, "body.viewport.width"],
    ["a locale with an underscore", { locale: "en_GB" }, "body.locale"],
    ["a locale that only looks like one", { locale: "en-a" }, "body.locale"],
    ["a limit of nothing", { idle_limit_s: 0 }, "body.idle_limit_s"],
    ["a limit that is endless", { total_limit_s: 1e9 }, "body.total_limit_s"],
    ["a time zone, which is no option", { timezone: "Europe/Oslo" }, "body.timezone"],
    ["a proxy, which is no option", { proxy: "http://127.0.0.1:1" }, "body.proxy"],
    ["headers, which are no option", { headers: { a: "b" } }, "body.headers"],
    ["a cookie that has expired", { cookies: [fine, { ...cookie, expires: 1 }] }, "body.cookies.1.expires"],
    ["a cookie that expires now", { cookies: [{ ...cookie, expires: 0 }] }, "body.cookies.0.expires"],
    ["a cookie that expires in milliseconds", { cookies: [{ ...cookie, expires: 1.9e12 }] }, "body.cookies.0.expires"],
    ["a cookie with half a character", { cookies: [{ ...cookie, name: "a\uD800" }] }, "body.cookies.0.name"],
    ["a cookie with half a character as value", { cookies: [{ ...cookie, value: "\uD800" }] }, "body.cookies.0.value"],
    ["a cookie of a long path", { cookies: [{ ...cookie, path: `/${"x".repeat(1024)}` }] }, "body.cookies.0.path"],
    ["a cookie of a path beyond ASCII", { cookies: [{ ...cookie, path: "/\u00E9" }] }, "body.cookies.0.path"],
    ["a cookie of any host", { cookies: [{ ...cookie, domain: "*.example.com" }] }, "body.cookies.0.domain"],
    ["a cookie of a part without a name", { cookies: [{ ...cookie, domain: "a..example" }] }, "body.cookies.0.domain"],
    ["a cookie of a long host", { cookies: [{ ...cookie, domain: "x".repeat(300) }] }, "body.cookies.0.domain"],
    ["a cookie with a name that is none", { cookies: [{ ...cookie, name: "a;b" }] }, "body.cookies.0.name"],
    ["a cookie with a value that is none", { cookies: [{ ...cookie, value: "hunter2\n" }] }, "body.cookies.0.value"],
    ["a cookie that is too large", { cookies: [{ ...cookie, value: "hunter2".repeat(600) }] }, "body.cookies.0.value"],
    ["a cookie of an address", { cookies: [{ ...cookie, domain: "http://example.com" }] }, "body.cookies.0.domain"],
    ["a cookie of a path that is none", { cookies: [{ ...cookie, path: "x" }] }, "body.cookies.0.path"],
    ["a cookie for other sites", { cookies: [{ ...cookie, sameSite: "None" }] }, "body.cookies.0.secure"],
    ["a cookie that has to be secure", { cookies: [{ ...cookie, name: "__Secure-a" }] }, "body.cookies.0.secure"],
    [
      "a cookie that has to have no path",
      { cookies: [{ ...cookie, name: "__Host-a", secure: true, path: "/x" }] },
      "body.cookies.0.path",
    ],
    [
      "a cookie that has to be of one host",
      { cookies: [fine, { ...hostOnly, domain: ".example.com" }] },
      "body.cookies.1.domain",
    ],
    [
      "a cookie that is refused, beside one of the same name",
      { cookies: [hostOnly, { ...hostOnly, domain: ".other.example" }] },
      "body.cookies.1.domain",
    ],
  ])("%s", async (_, body, place) => {
    const { status, places, text } = await refusal("/control/sessions", body);
    expect({ status, places }).toEqual({ status: 422, places: [place] });
    expect(text).not.toContain("hunter2");
  });

  test("every cookie that is wrong at once", async () => {
    const cookies = [{ ...cookie, expires: 1 }, fine, { ...cookie, path: "x" }];
    const { places } = await refusal("/control/sessions", { cookies });
    expect(places).toEqual(["body.cookies.0.expires", "body.cookies.2.path"]);
  });
});

test("valid cookies are set unchanged", async () => {
  const cookies = [
    { ...cookie, expires: -1 },
    { ...cookie, domain: "other.example" },
    { name: "empty", value: "", domain: "example.com" },
    { name: "quoted", value: '"a b"=c', domain: "Example.COM", path: "/a" },
    { name: "__Host-a", value: "x", domain: "example.com", secure: true },
    { name: "wide", value: "x", domain: ".example.com", expires: Math.ceil(Date.now() / 1000) + 3600 },
    { name: "twice", value: "1", domain: "example.com" },
    { name: "twice", value: "2", domain: "example.com" },
  ];
  const { session_id } = await running.open({ cookies });
  const read = await readAnswer<{ cookies: { name: string; value: string }[] }>(
    await running.ask("GET", `/sessions/${session_id}/cookies`),
  );
  const pairs = read.cookies.map(({ name, value }) => `${name}=${value}`).sort();
  const expected = ["__Host-a=x", "empty=", 'quoted="a b"=c', "tray=hunter2", "tray=hunter2", "twice=2", "wide=x"];
  expect(pairs).toEqual(expected.sort());
  await running.end(session_id);
});

describe("invalid scrape options are reported with their location", () => {
  test.each<[what: string, body: object, places: string[]]>([
    ["tags that can be none", { ignored_tags: ["nav", "<", "<nav>"] }, ["body.ignored_tags.1", "body.ignored_tags.2"]],
    ["an empty tag", { ignored_tags: [""] }, ["body.ignored_tags.0"]],
    ["a selector in place of a tag", { ignored_tags: ["div.advert"] }, ["body.ignored_tags.0"]],
    ["a star in place of a tag", { ignored_tags: ["*"] }, ["body.ignored_tags.0"]],
    ["two tags in one", { ignored_tags: ["nav, footer"] }, ["body.ignored_tags.0"]],
    ["a selector that can't be read", { selector: "p[" }, ["body.selector"]],
    ["an empty selector", { selector: "" }, ["body.selector"]],
  ])("%s", async (_, body, places) => {
    const answer = await refusal(`/sessions/${sessionId}/page/scrape`, body);
    expect({ status: answer.status, places: answer.places }).toEqual({ status: 422, places });
  });

  test("every valid element name is accepted", async () => {
    const ignored_tags = [" NAV ", "h1", "my-element", "my-el.x", "svg:a", "nope"];
    expect((await running.ask("POST", `/sessions/${sessionId}/page/scrape`, { ignored_tags })).status).toBe(200);
  });
});
