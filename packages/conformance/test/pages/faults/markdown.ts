/** Faults of the form of the Markdown: parsed, it is not what the page is. */
import { inMarkdown, plain, type PageFault } from "./page-fault.ts";
import type { DataSpace } from "../scrape.ts";
import type { Twist } from "../site-server.ts";

const current = "scrape.markdown-of-current-page";
const meaning = "scrape.response.markdown.meaning";
const structure = "scrape.markdown-keeps-structure";
const alone = "scrape.markdown-of-page-alone";

const always = (): boolean => true;

/** Changes the Markdown of every scrape without options. */
const inPlain = (change: (markdown: string) => string): Twist => ({ scrape: inMarkdown(change, plain) });

const row = (name: string, check: string, requirement: string, twist: Twist): PageFault => ({
  name,
  twist,
  check: `page/${check}`,
  requirement,
});

const html = "markdown-is-no-html-document";
const characters = "markdown-keeps-characters";

/** Turns what is not ASCII into something else. */
const mangled = (name: string, change: (text: string) => string): PageFault =>
  row(
    `${name} in Markdown`,
    characters,
    meaning,
    inPlain((text) => text.replace(/[^\x20-\x7e\n]+/g, change)),
  );

/** Paragraphs as HTML; what is Markdown already stays as it is. */
const asHtml = (text: string): string => text.replace(/^(?=[A-Z])(.+)$/gm, "<p>$1</p>");

/** Gives the first answer to a request again when it comes another time. */
function remembering(): Twist {
  const kept = new Map<string, DataSpace>();
  return {
    scrape: (answer, asked, { url }) => {
      const key = `${url} ${JSON.stringify(asked)}`;
      const first = kept.get(key) ?? answer;
      kept.set(key, first);
      return first;
    },
  };
}

/** Servers with one fault each. */
export const markdownFaults: readonly PageFault[] = [
  row("wraps every paragraph in HTML", html, current, inPlain(asHtml)),
  row(
    "wraps all of it in one element of HTML",
    html,
    current,
    inPlain((text) => `<div>\n${asHtml(text).replace(/\n{2,}/g, "\n")}\n</div>`),
  ),
  row(
    "shows the tags of HTML as text",
    html,
    current,
    inPlain((text) => asHtml(text).replaceAll("<", "&lt;").replaceAll(">", "&gt;")),
  ),
  row(
    "escapes the tags of HTML with backslashes",
    html,
    current,
    inPlain((text) => asHtml(text).replaceAll("<", "\\<")),
  ),
  row(
    "quotes a paragraph as code",
    html,
    current,
    inPlain((text) => text.replace(/^(?=The old harbour|A lamp|Now the)/gm, "    ")),
  ),
  row(
    "moves the first paragraph to the end",
    "markdown-keeps-order",
    meaning,
    inPlain((text) => text.replace(/^(The old harbour.*)$([^]*)/m, "$2\n\n$1")),
  ),
  row(
    "has the paragraphs in the reverse order",
    "markdown-keeps-order",
    meaning,
    inPlain((text) =>
      text.includes("brindolake")
        ? text
            .split(/\n{2,}/)
            .toReversed()
            .join("\n\n")
        : text,
    ),
  ),
  row(
    "gathers the links at the top",
    "markdown-keeps-order",
    meaning,
    inPlain((text) => {
      const line = /^See the .*$/m.exec(text)?.[0] ?? "";
      return `${line}\n\n${text.replace(line, "")}`;
    }),
  ),
  row(
    "swaps the header and the first row of tables",
    "markdown-keeps-order",
    meaning,
    inPlain((text) => text.replace("kelvarine", "x0x").replace("mossofern", "kelvarine").replace("x0x", "mossofern")),
  ),
  row(
    "swaps the cells of a row",
    "markdown-keeps-order",
    meaning,
    inPlain((text) => text.replace(/\| (.*mossofern.*) \| (.*fourteenoak.*) \|/, "| $2 | $1 |")),
  ),
  row(
    "swaps two items of a numbered list",
    "markdown-keeps-order",
    meaning,
    inPlain((text) => text.replace(/^1\. (.*pastelgrove.*)\n2\. (.*)$/m, "1. $2\n2. $1")),
  ),
  row(
    "drops an item of a list",
    "markdown-has-content",
    meaning,
    inPlain((text) => text.replace(/^.*with no stop\n/m, "")),
  ),
  row(
    "writes headings as plain lines",
    "markdown-keeps-structure",
    structure,
    inPlain((text) => text.replace(/^#+ /gm, "")),
  ),
  row(
    "writes lists as plain lines",
    "markdown-keeps-structure",
    structure,
    inPlain((text) => text.replace(/^\s*(?:- |\d\. )/gm, "\n")),
  ),
  row(
    "makes up a sentence",
    "markdown-has-nothing-else",
    alone,
    inPlain((text) => `${text}\n\nCustomers frequently compliment wonderful breakfast pancakes served upstairs.`),
  ),
  row(
    "adds an advertisement of its own",
    "markdown-has-nothing-else",
    alone,
    inPlain((text) => `> Powered somewhere: upgrade your subscription today, unlock unlimited credits!\n\n${text}`),
  ),
  row(
    "cuts Markdown at 64 KiB",
    "markdown-is-whole",
    meaning,
    inPlain((text) => text.slice(0, 65_536)),
  ),
  row(
    "cuts Markdown at 256,000 characters",
    "markdown-is-whole",
    meaning,
    inPlain((text) => text.slice(0, 256_000)),
  ),
  row(
    "loses a piece in the middle of long Markdown",
    "markdown-is-whole",
    meaning,
    inPlain((text) => (text.length > 100_000 ? text.slice(0, 120_000) + text.slice(130_000) : text)),
  ),
  row(
    "joins the pieces of long Markdown in another order",
    "markdown-is-whole",
    meaning,
    inPlain((text) =>
      text.length > 100_000 ? text.slice(0, 100_000) + text.slice(200_000) + text.slice(100_000, 200_000) : text,
    ),
  ),
  mangled("takes UTF-8 for Latin-1", (text) => Buffer.from(text).toString("latin1")),
  mangled("writes a question mark for each character that is not ASCII", (text) => "?".repeat(text.length)),
  mangled("drops what is not ASCII", () => ""),
  mangled("drops the marks of letters", (text) => text.normalize("NFD").replace(/\p{M}/gu, "")),
  mangled("loses what is beyond the first 65,536 characters", (text) =>
    text.replace(/[\u{10000}-\u{10ffff}]/gu, "\ufffd"),
  ),
  mangled("reverses what is read from right to left", (text) =>
    text.replace(/[\u0590-\u06ff ]+/g, (run) => Array.from(run).toReversed().join("")),
  ),
  mangled("escapes characters as JSON does, twice", (text) =>
    Array.from(text, (one) => `\\\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  ),
  row("gives what it scraped first, although the page has changed", "markdown-of-changed-page", current, remembering()),
  row("has what was removed from the page beside what is there", "markdown-of-changed-page", current, {
    scrape: inMarkdown(
      (text) => (text.includes("floodmerrow") ? `${text}\n\nThe boats of driftlorne are still at the quay.` : text),
      always,
    ),
  }),
  row("has the comments of the page", "markdown-has-no-source", current, {
    scrape: inMarkdown((text, { source }) => `${text}\n\n${/<!-- (\w+) -->/.exec(source)?.[1] ?? ""}`, plain),
  }),
  row("has the scripts of the page", "markdown-has-no-source", current, {
    scrape: inMarkdown((text, { source }) => `${text}\n\n${/const script\w+/.exec(source)?.[0] ?? ""}`, plain),
  }),
  row("has the style sheets of the page", "markdown-has-no-source", current, {
    scrape: inMarkdown((text, { source }) => `${text}\n\n${/\.style\w+/.exec(source)?.[0] ?? ""}`, plain),
  }),
  row(
    "has a page of another session behind a page",
    "markdown-of-current-page",
    current,
    inPlain((text) => (text.includes("ambervessel") ? text : `${text}\n\nA lamp of brass, made by quilloran.`)),
  ),
  row(
    "has a link of another session's page behind a page",
    "markdown-of-current-page",
    current,
    inPlain((text) => (text.includes("ambervessel") ? `${text}\n\n[textsandpiper](berths/lnkotter)` : text)),
  ),
  row(
    "has an image of another session's page behind a page",
    "markdown-of-current-page",
    current,
    inPlain((text) => (text.includes("ambervessel") ? `${text}\n\n![](pictures/imgpelican.png)` : text)),
  ),
  row(
    "keeps frames although their tag is to be ignored",
    "ignored_tags-are-left-out",
    "scrape.request.ignored_tags.with-content",
    {
      options: (options) => ({
        ...options,
        ignored_tags: options.ignored_tags?.filter((tag) => tag !== "iframe") ?? null,
      }),
    },
  ),
];
