import { expect, test } from "vitest";
import { fromCookiesTxt, toCookiesTxt, type Cookie, type CookieLoss } from "../../src/cookies.ts";
import { plainCookie } from "./cookie-samples.ts";
import { shorten } from "./short-losses.ts";

/** What the form of the service says of each cookie below when nothing else is said. */
const defaults = { ...plainCookie, session: true };

const head = "# Netscape HTTP Cookie File\n";
const toTxt: { name: string; cookie: Cookie; want: string; losses?: string[] }[] = [
  { name: "a cookie that ends with the session", cookie: {}, want: "a.example\tFALSE\t/\tFALSE\t0\tsid\tv\n" },
  {
    name: "flags",
    cookie: { secure: true, httpOnly: true, hostOnly: false },
    want: "#HttpOnly_.a.example\tTRUE\t/\tTRUE\t0\tsid\tv\n",
  },
  {
    name: "a time, rounded up",
    cookie: { expires: 1_900_000_000.1 },
    want: "a.example\tFALSE\t/\tFALSE\t1900000001\tsid\tv\n",
  },
  { name: "an empty value", cookie: { value: "" }, want: "a.example\tFALSE\t/\tFALSE\t0\tsid\t\n" },
  {
    name: "no same-site rule",
    cookie: { sameSite: "Lax" },
    want: "a.example\tFALSE\t/\tFALSE\t0\tsid\tv\n",
    losses: ["dropped sameSite"],
  },
  {
    name: "no partition",
    cookie: { partitionKey: "https://b.example", secure: true },
    want: "",
    losses: ["skipped partitionKey"],
  },
  { name: "no value with a tab", cookie: { value: "a\tb" }, want: "", losses: ["skipped value"] },
  { name: "no value with a line end", cookie: { value: "a\nb" }, want: "", losses: ["skipped value"] },
];
test.for(toTxt)("to cookies.txt: $name", ({ cookie, want, losses = [] }) => {
  const result = toCookiesTxt([{ ...plainCookie, ...cookie }]);
  expect(result.text).toBe(head + want);
  expect(shorten(result.losses)).toEqual(losses);
});

const line = "a.example\tFALSE\t/\tFALSE\t0\tsid\tv";
const fromTxt: { name: string; text: string; want?: object[]; losses?: CookieLoss[] }[] = [
  { name: "an empty file", text: "", want: [] },
  { name: "a file of curl", text: `${head}# https://curl.se/docs/http-cookies.html\n\n${line}\n`, want: [{}] },
  { name: "no line end at the end", text: line, want: [{}] },
  { name: "CRLF, CR and a BOM", text: `\uFEFF${head.trim()}\r\n${line}\r${line}\r\n\r\n`, want: [{}, {}] },
  { name: "a BOM and no head", text: `\uFEFF#HttpOnly_${line}`, want: [{ httpOnly: true }] },
  { name: "blank lines and comments with spaces", text: ` \t\n  # a comment\n${line}`, want: [{}] },
  { name: "the mark of httpOnly", text: `#HttpOnly_${line}`, want: [{ httpOnly: true }] },
  {
    name: "flags in any case",
    text: "a.example\ttrue\t/\tTrue\t0\tsid\tv",
    want: [{ domain: ".a.example", hostOnly: false, secure: true }],
  },
  { name: "a dot", text: ".a.example\tTRUE\t/\tFALSE\t0\tsid\tv", want: [{ domain: ".a.example", hostOnly: false }] },
  {
    name: "a flag before a dot",
    text: ".a.example\tFALSE\t/\tFALSE\t0\tsid\tv",
    losses: [{ reason: "assumed", field: "hostOnly", at: 1, name: "sid", domain: ".a.example" }],
    want: [{}],
  },
  {
    name: "a time",
    text: "a.example\tFALSE\t/\tFALSE\t1900000000\tsid\tv",
    want: [{ expires: 1_900_000_000, session: false }],
  },
  {
    name: "a time with fraction",
    text: "a.example\tFALSE\t/\tFALSE\t1900000000.5\tsid\tv",
    want: [{ expires: 1_900_000_000.5, session: false }],
  },
  { name: "no time", text: "a.example\tFALSE\t/\tFALSE\t\tsid\tv", want: [{}] },
  { name: "an empty value", text: "a.example\tFALSE\t/\tFALSE\t0\tsid\t", want: [{ value: "" }] },
  { name: "an empty value without tab", text: "a.example\tFALSE\t/\tFALSE\t0\tsid", want: [{ value: "" }] },
  { name: "a value with = and #", text: `${line}=#`, want: [{ value: "v=#" }] },
  {
    name: "no broken lines",
    text: `${head}x\n${line}\n${line}\tmore\n${line.replaceAll("\t", " ")}\n${line.replace("FALSE", "no")}\n${line.replace("0", "soon")}`,
    want: [{}],
    losses: [2, 4, 5, 6, 7].map((at) => ({ reason: "skipped", field: "cookie", at })),
  },
  {
    name: "no name, and no domain",
    text: "a.example\tFALSE\t/\tFALSE\t0\t\tv\n\tFALSE\t/\tFALSE\t0\tsid\tv",
    want: [],
    losses: [
      { reason: "skipped", field: "name", at: 1, domain: "a.example" },
      { reason: "skipped", field: "domain", at: 2, name: "sid", domain: "" },
    ],
  },
];
test.for(fromTxt)("from cookies.txt: $name", ({ text, want, losses = [] }) => {
  const result = fromCookiesTxt(text);
  expect(result).toEqual({ cookies: want?.map((own) => ({ ...defaults, ...own })), losses });
});
