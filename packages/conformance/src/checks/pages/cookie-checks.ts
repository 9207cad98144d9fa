import { combine, nothingSeen, verdict, type Check, type Judgement, type Violation } from "../check.ts";
import { jsonAnswer, type Exchange } from "../../http/exchange.ts";
import type { Target } from "../../target/target.ts";
import type { OpenedPages, PageCookie, PageName } from "../../target/opened-pages.ts";
import { pageCookiesProbes, findPage } from "./page-probes.ts";
import { isObject } from "../../http/json.ts";
import { readMember } from "./scrape.ts";
import { makeCheck } from "../make-check.ts";

type ListedCookie = Readonly<Record<string, unknown>>;

/** Returns the cookies of an answer, when it has a list of them. Source: interface § Cookies response. */
export function listedCookies(exchange: Exchange): readonly ListedCookie[] | undefined {
  const body = jsonAnswer(exchange, 200);
  const list = "value" in body ? readMember(body.value, "cookies") : undefined;
  return Array.isArray(list) ? list.filter(isObject) : undefined;
}

/** A cookie of the page, with its entry in the answer. */
interface Pair {
  readonly set: PageCookie;
  readonly entry: ListedCookie | undefined;
}

/** Judges the cookies that the page of a session has set, when the answer has their names. */
function onCookies(
  exchange: Exchange,
  { pages }: Target,
  judge: (pairs: readonly Pair[], list: readonly ListedCookie[], pages: OpenedPages, page: PageName) => Judgement,
): Judgement {
  const list = listedCookies(exchange);
  const page = findPage(exchange.id);
  if (!list || !pages || !page) return nothingSeen("No list of cookies came.");
  if (list.length > 0 && list.every((cookie) => typeof cookie["name"] !== "string")) {
    return nothingSeen("No cookie has a name.");
  }
  const pairs = pages.listCookies(page).map((set) => ({
    set,
    entry:
      list.find((cookie) => cookie["name"] === set.name && cookie["value"] === set.value) ??
      list.find((cookie) => cookie["name"] === set.name && !isOther(cookie, set, pages.listCookies(page))),
  }));
  return judge(pairs, list, pages, page);
}

/** Returns whether an entry of the list is another cookie of the page that has the same name. */
function isOther(entry: ListedCookie, set: PageCookie, all: readonly PageCookie[]): boolean {
  return all.some((other) => other !== set && other.name === set.name && other.value === entry["value"]);
}

function finding(set: PageCookie, expected: string, received: string): Violation {
  return { where: `body /cookies (${set.name})`, expected, received };
}

/** Judges that the cookies of the page are listed. A `Secure` cookie may be missing, since browsers need not accept it over HTTP. */
function judgeThere(pairs: readonly Pair[]): Judgement {
  return combine(
    pairs
      .filter(({ set, entry }) => !set.secure || entry)
      .map(({ set, entry }) => {
        if (set.removed) {
          const received = "the cookie that the page has removed";
          return verdict(entry === undefined, finding(set, "no removed cookie", received));
        }
        const value = entry?.["value"];
        const holds = entry !== undefined && (typeof value !== "string" || value === set.value);
        const received = entry === undefined ? "a list without it" : "the cookie with another value";
        return verdict(holds, finding(set, "the cookie that the page has set, with its value", received));
      }),
    "",
  );
}

/** Seconds by which an expiry may differ: browsers round, and count from when the cookie comes. */
const expirySlack = 120;

/** Units in which moments are counted from 1970, by how many of them a second has. */
const unitsOfSecond = [1, 1_000, 1_000_000, 1_000_000_000];

/** Judges the moment of expiry of a cookie that has one. Its unit is left open, so one unit has to fit. */
function judgeExpiry({ set, entry }: Pair): Judgement[] {
  const { expires } = set;
  if (expires === undefined || set.removed || entry?.["value"] !== set.value) return [];
  return ["expirationDate", "expires"].flatMap((field) => {
    const value = entry[field];
    if (typeof value !== "number" || value <= 0) return [];
    const holds = unitsOfSecond.some((unit) => Math.abs(value / unit - expires) <= expirySlack);
    const expected = `\`${field}\` about ${expires}, in seconds or a smaller unit, as the page has set it`;
    return verdict(holds, finding(set, expected, `\`${field}\` ${value}`));
  });
}

/** Judges the attributes of cookies. The interface leaves open which fields a cookie has, so a field is judged only when present and of its type. */
function judgeAttributes(pairs: readonly Pair[], host: string): Judgement {
  const judgements = pairs.flatMap(({ set, entry }) => {
    const { path, httpOnly, secure } = set;
    const isCertain =
      entry?.["value"] === set.value || pairs.every((other) => other.set === set || other.set.name !== set.name);
    const expectedFields = { path, httpOnly, secure, session: set.expires === undefined, domain: host };
    return Object.entries(expectedFields).flatMap(([field, want]) => {
      const value = entry?.[field];
      if (typeof value !== typeof want || set.removed || !isCertain) return [];
      const holds = field === "domain" ? String(value).replace(/^\./, "") === host : value === want;
      const expected = `\`${field}\` ${want}, as the page has set it`;
      return verdict(holds, finding(set, expected, `\`${field}\` ${String(value)}`));
    });
  });
  return combine([...judgements, ...pairs.flatMap(judgeExpiry)], "No cookie of the page has one of these fields.");
}

/** Judges that no cookie of another session is listed. Another check reports a list without the session's own cookies. */
function judgeForeign(
  pairs: readonly Pair[],
  list: readonly ListedCookie[],
  pages: OpenedPages,
  page: PageName,
): Judgement {
  if (pages.sharesCookies()) return nothingSeen("The sessions share a browser, and so their cookies.");
  if (pairs.every(({ set, entry }) => set.removed || entry === undefined))
    return nothingSeen("No cookie of the session itself is there.");
  const other = page === "article" ? "product" : "article";
  return combine(
    pages.listCookies(other).map((set) => {
      const there = list.some((cookie) => cookie["name"] === set.name && cookie["value"] === set.value);
      return verdict(!there, finding(set, "no cookie of another session", "the cookie of another session"));
    }),
    "",
  );
}

const makeCookieCheck = (name: string, judge: Parameters<typeof onCookies>[2]): Check =>
  makeCheck(
    `page/cookies-${name}`,
    pageCookiesProbes.map(({ id }) => id),
    (exchange, target) => onCookies(exchange, target, judge),
  );

/** Checks of the cookies of a session. Source: interface § Endpoints, § Cookies response. */
export const cookieChecks: readonly Check[] = [
  makeCookieCheck("of-session", judgeThere),
  makeCookieCheck("of-no-other-session", judgeForeign),
  makeCookieCheck("attributes", (pairs, _, { host }) => judgeAttributes(pairs, host)),
];
