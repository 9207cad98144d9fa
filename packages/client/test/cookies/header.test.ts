import { expect, test } from "vitest";
import { fromCookieHeader, toCookieHeader, type Cookie, type CookieHeaderOptions } from "../../src/cookies.ts";
import { plainCookie } from "./cookie-samples.ts";

const now = 1_900_000_000_000;

const domain = (text: string): Cookie => ({ domain: text, hostOnly: false });
const selections: { cookie: Cookie; sent?: string[]; unsent?: string[] }[] = [
  {
    cookie: {},
    sent: ["http://a.example/", "https://a.example/b", "ws://a.example/", "wss://a.example:8080/", "http://A.EXAMPLE"],
    unsent: ["http://b.a.example/", "http://example/", "http://aa.example/", "http://a.example.evil/"],
  },
  {
    cookie: domain(".a.example"),
    sent: ["http://a.example/", "http://b.a.example/", "http://c.b.a.example/"],
    unsent: ["http://example/", "http://ba.example/", "http://a.example.evil/"],
  },
  { cookie: domain("A.Example"), sent: ["http://a.example/", "http://b.a.example/"] },
  { cookie: domain("bücher.example"), sent: ["http://bücher.example/", "http://a.xn--bcher-kva.example/"] },
  { cookie: domain("example"), sent: ["http://example/"], unsent: ["http://a.example/"] },
  {
    cookie: domain("127.0.0.1"),
    sent: ["http://127.0.0.1/", "http://127.1/"],
    unsent: ["http://1.127.0.0.1.example/"],
  },
  { cookie: domain("0.0.1.example"), sent: ["http://127.0.0.1.example/"], unsent: ["http://0.0.1/"] },
  { cookie: domain("::1"), sent: ["http://[::1]:80/"], unsent: ["http://[::2]/"] },
  {
    cookie: { path: "/b" },
    sent: ["http://a.example/b", "http://a.example/b/", "http://a.example/b/c", "http://a.example/b?/c#d"],
    unsent: ["http://a.example/", "http://a.example/bc", "http://a.example/B", "http://a.example/c/b"],
  },
  {
    cookie: { path: "/b/" },
    sent: ["http://a.example/b/", "http://a.example/b/c"],
    unsent: ["http://a.example/b", "http://a.example/"],
  },
  { cookie: { path: "/é b?" }, sent: ["http://a.example/é b%3F", "http://a.example/%C3%A9%20b%3F/c"] },
  { cookie: { path: "/%C3%A9" }, sent: ["http://a.example/é/"], unsent: ["http://a.example/e"] },
  {
    cookie: { secure: true },
    sent: ["https://a.example/", "wss://a.example/"],
    unsent: ["http://a.example/", "ws://a.example/"],
  },
  { cookie: { secure: true, ...domain("localhost") }, sent: ["http://localhost:1/", "ws://localhost/"] },
  { cookie: { secure: true, domain: "b.localhost" }, sent: ["http://b.localhost/"] },
  { cookie: { secure: true, domain: "127.1.2.3" }, sent: ["http://127.1.2.3/"] },
  { cookie: { secure: true, domain: "[::1]" }, sent: ["http://[::1]/"] },
  { cookie: { secure: true, domain: "127.0.0.1.example" }, unsent: ["http://127.0.0.1.example/"] },
  { cookie: { secure: true, domain: "notlocalhost" }, unsent: ["http://notlocalhost/"] },
  { cookie: { secure: true, domain: "localhost.example" }, unsent: ["http://localhost.example/"] },
  { cookie: { secure: true, domain: "126.0.0.1" }, unsent: ["http://126.0.0.1/"] },
  { cookie: { expires: now / 1000 + 0.001 }, sent: ["http://a.example/"] },
  { cookie: { expires: now / 1000 }, unsent: ["http://a.example/"] },
  { cookie: { expires: 1 }, unsent: ["http://a.example/"] },
  { cookie: { expires: 0 }, sent: ["http://a.example/"] },
];
const requests = selections.flatMap(({ cookie, sent = [], unsent = [] }) => {
  const rows = sent.map((url) => ({ cookie, url, header: "sid=v", verb: "sends" }));
  return rows.concat(unsent.map((url) => ({ cookie, url, header: "", verb: "does not send" })));
});
test.for(requests)("$verb $cookie to $url", ({ cookie, url, header }) => {
  expect(toCookieHeader([{ ...plainCookie, ...cookie }], url, { now }).header).toBe(header);
});

test("puts longer paths first, and otherwise keeps the order", () => {
  const cookies = [
    { ...plainCookie, name: "a", path: "/" },
    { ...plainCookie, name: "b", path: "/b" },
    { ...plainCookie, name: "c", path: "/b/" },
    { ...plainCookie, name: "d", path: "/" },
    { ...plainCookie, name: "e", path: "/b" },
  ];
  expect(toCookieHeader(cookies, new URL("http://a.example/b/")).header).toBe("c=v; b=v; e=v; a=v; d=v");
});

test("takes the time of the call when none is given", () => {
  const second = Date.now() / 1000;
  const cookies = [
    { ...plainCookie, name: "old", expires: second - 60 },
    { ...plainCookie, name: "new", expires: second + 60 },
  ];
  expect(toCookieHeader(cookies, "http://a.example/").header).toBe("new=v");
});

const partitioned = { secure: true, partitionKey: "https://b.example" };
const partitions: { topLevelSite?: CookieHeaderOptions["topLevelSite"]; sent: boolean; losses?: string[] }[] = [
  { sent: false, losses: ["skipped partitionKey"] },
  { topLevelSite: "https://b.example", sent: true },
  { topLevelSite: new URL("https://www.b.example:8080/path?query"), sent: true },
  { topLevelSite: "http://b.example", sent: false },
  { topLevelSite: "https://bb.example", sent: false },
  { topLevelSite: "https://a.example", sent: false },
];
test.for(partitions)("sends what is kept for https://b.example to $topLevelSite: $sent", (row) => {
  const { topLevelSite, sent, losses = [] } = row;
  const result = toCookieHeader([{ ...plainCookie, ...partitioned }], "https://a.example/", { topLevelSite });
  expect(result.header).toBe(sent ? "sid=v" : "");
  expect(result.losses.map(({ reason, field }) => `${reason} ${field}`)).toEqual(losses);
});

test("sends what is kept for no site, too, and says nothing of a partition that would not be sent anyway", () => {
  const cookies = [plainCookie, { ...plainCookie, ...partitioned }];
  expect(toCookieHeader(cookies, "http://a.example/")).toEqual({ header: "sid=v", losses: [] });
  expect(toCookieHeader(cookies, "https://a.example/", { topLevelSite: "https://b.example" }).header).toBe(
    "sid=v; sid=v",
  );
  expect(
    toCookieHeader([{ ...plainCookie, secure: true, partitionKey: "b" }], "https://a.example/", {
      topLevelSite: "https://b.example",
    }),
  ).toEqual({ header: "", losses: [] });
});

const unsafeCookies: { cookie: Cookie; field: string }[] = [
  { cookie: { name: "é" }, field: "name" },
  { cookie: { value: "é" }, field: "value" },
  { cookie: { value: "€" }, field: "value" },
  { cookie: { value: "a\r\nb: c" }, field: "value" },
  { cookie: { value: "a; b=c" }, field: "value" },
  { cookie: { name: "a=b" }, field: "name" },
];
test.for(unsafeCookies)("leaves out what would corrupt the header: $cookie", ({ cookie, field }) => {
  const { header, losses } = toCookieHeader([{ ...plainCookie, ...cookie }, plainCookie], "http://a.example/");
  expect(header).toBe("sid=v");
  expect(losses).toMatchObject([{ reason: "skipped", field, at: 0 }]);
});

test("reports what was inferred to select the cookies, and nothing else", () => {
  const cookie = {
    name: "sid",
    value: "v",
    domain: "a.example",
    sameSite: "?",
    storeId: "0",
    expires: 1_900_000_000_000,
  };
  const { losses } = toCookieHeader([cookie], "http://b.example/", { now });
  expect(losses.map(({ reason, field }) => `${reason} ${field}`)).toEqual([
    "assumed path",
    "assumed hostOnly",
    "assumed expires",
    "assumed secure",
  ]);
});

const addresses: { what: string; run: () => unknown }[] = [
  ...["a.example", "", "ftp://s3cr3t.example/", "data:text/plain,s3cr3t"].map((url) => ({
    what: `a header for ${url}`,
    run: () => toCookieHeader([plainCookie], url),
  })),
  ...["a.example", "", "ftp://s3cr3t.example/", "data:text/plain,s3cr3t"].map((url) => ({
    what: `a header from ${url}`,
    run: () => fromCookieHeader("a=b", url),
  })),
  ...["s3cr3t", "wss://s3cr3t.example"].map((topLevelSite) => ({
    what: `a page at ${topLevelSite}`,
    run: () => toCookieHeader([plainCookie], "https://a.example/", { topLevelSite }),
  })),
];
test.for(addresses)("calls it misuse, and quotes nothing: $what", ({ run }) => {
  expect(run).toThrow(expect.objectContaining({ code: "misuse", message: expect.not.stringContaining("s3cr3t") }));
});

const place = { domain: "a.example", hostOnly: true, path: "/b", secure: true };
const readings: { header: string; url?: string; want: Cookie[]; skipped?: number[] }[] = [
  { header: "", want: [] },
  { header: " ; ", want: [] },
  { header: "a=1", want: [{ ...place, name: "a", value: "1" }] },
  {
    header: "a=1; b=2",
    want: [
      { ...place, name: "a", value: "1" },
      { ...place, name: "b", value: "2" },
    ],
  },
  {
    header: " a = 1 ;b=2;\r\n",
    want: [
      { ...place, name: "a", value: "1" },
      { ...place, name: "b", value: "2" },
    ],
  },
  { header: 'a="1=2, 3"', want: [{ ...place, name: "a", value: '"1=2, 3"' }] },
  { header: "a=", want: [{ ...place, name: "a", value: "" }] },
  {
    header: "a=1; a=2",
    want: [
      { ...place, name: "a", value: "1" },
      { ...place, name: "a", value: "2" },
    ],
  },
  { header: "a; =1; b=1\n2; c=3", want: [{ ...place, name: "c", value: "3" }], skipped: [0, 1, 2] },
  { header: "__Host-a=1", want: [{ ...place, name: "__Host-a", value: "1", path: "/" }] },
  { header: "a=1", url: "http://a.example", want: [{ ...place, name: "a", value: "1", path: "/", secure: false }] },
  {
    header: "a=1",
    url: "ws://[::1]/b",
    want: [{ ...place, name: "a", value: "1", domain: "[::1]", path: "/", secure: false }],
  },
  { header: "a=1", url: "wss://a.example/b/", want: [{ ...place, name: "a", value: "1" }] },
];
test.for(readings)("reads $header", ({ header, url = "https://a.example/b/c?d", want, skipped = [] }) => {
  const { cookies, losses } = fromCookieHeader(header, url);
  expect(cookies).toEqual(want);
  expect(losses.filter(({ reason }) => reason === "skipped").map(({ at }) => at)).toEqual(skipped);
  const assumed = losses.filter(({ reason }) => reason === "assumed").map(({ field }) => field);
  expect(assumed).toEqual(want.flatMap(() => ["domain", "path", "secure"]));
});
