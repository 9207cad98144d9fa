/** Faults of the form of the Markdown: parsed, it is not what the page is. */
import { always, breakPages, inMarkdown, plain, writeMarkdown } from "./faulty-server.ts";
import type { DataSpace } from "../scrape.ts";
import type { Twist } from "../site-server.ts";

/** Turns what is not ASCII into something else. */
const mangle =
  (change: (text: string) => string) =>
  (text: string): string =>
    text.replace(/[^\x20-\x7e\n]+/g, change);

/** Paragraphs as HTML; what is Markdown already stays as it is. */
const asHtml = (text: string): string => text.replace(/^(?=[A-Z])(.+)$/gm, "<p>$1</p>");

/** Gives the first answer to a request again when it comes another time. */
function remember(): Twist {
  const cache = new Map<string, DataSpace>();
  return {
    scrape: (answer, request, { url }) => {
      const key = `${url} ${JSON.stringify(request)}`;
      const first = cache.get(key) ?? answer;
      cache.set(key, first);
      return first;
    },
  };
}

/** Servers with one fault each. */
export const markdownFaults = breakPages({
  "page/markdown-is-no-html-document scrape.markdown-of-current-page": writeMarkdown({
    "wraps every paragraph in HTML": asHtml,
    "wraps all of it in one element of HTML": (text) => `<div>\n${asHtml(text).replace(/\n{2,}/g, "\n")}\n</div>`,
    "shows the tags of HTML as text": (text) => asHtml(text).replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    "escapes the tags of HTML with backslashes": (text) => asHtml(text).replaceAll("<", "\\<"),
    "quotes a paragraph as code": (text) => text.replace(/^(?=The old harbour|A lamp|Now the)/gm, "    "),
  }),
  "page/markdown-keeps-order scrape.response.markdown.meaning": writeMarkdown({
    "moves the first paragraph to the end": (text) => text.replace(/^(The old harbour.*)$([^]*)/m, "$2\n\n$1"),
    "has the paragraphs in the reverse order": (text) =>
      text.includes("brindolake")
        ? text
            .split(/\n{2,}/)
            .toReversed()
            .join("\n\n")
        : text,
    "gathers the links at the top": (text) => {
      const line = /^See the .*$/m.exec(text)?.[0] ?? "";
      return `${line}\n\n${text.replace(line, "")}`;
    },
    "swaps the header and the first row of tables": (text) =>
      text.replace("kelvarine", "x0x").replace("mossofern", "kelvarine").replace("x0x", "mossofern"),
    "swaps the cells of a row": (text) => text.replace(/\| (.*mossofern.*) \| (.*fourteenoak.*) \|/, "| $2 | $1 |"),
    "swaps two items of a numbered list": (text) => text.replace(/^1\. (.*pastelgrove.*)\n2\. (.*)$/m, "1. $2\n2. $1"),
  }),
  "page/markdown-has-content scrape.response.markdown.meaning": writeMarkdown({
    "drops an item of a list": (text) => text.replace(/^.*with no stop\n/m, ""),
  }),
  "page/markdown-keeps-structure scrape.markdown-keeps-structure": writeMarkdown({
    "writes headings as plain lines": (text) => text.replace(/^#+ /gm, ""),
    "writes lists as plain lines": (text) => text.replace(/^\s*(?:- |\d\. )/gm, "\n"),
  }),
  "page/markdown-has-nothing-else scrape.markdown-of-page-alone": writeMarkdown({
    "makes up a sentence": (text) =>
      `${text}\n\nCustomers frequently compliment wonderful breakfast pancakes served upstairs.`,
    "adds an advertisement of its own": (text) =>
      `> Powered somewhere: upgrade your subscription today, unlock unlimited credits!\n\n${text}`,
  }),
  "page/markdown-is-whole scrape.response.markdown.meaning": writeMarkdown({
    "cuts Markdown at 64 KiB": (text) => text.slice(0, 65_536),
    "cuts Markdown at 256,000 characters": (text) => text.slice(0, 256_000),
    "loses a piece in the middle of long Markdown": (text) =>
      text.length > 100_000 ? text.slice(0, 120_000) + text.slice(130_000) : text,
    "joins the pieces of long Markdown in another order": (text) =>
      text.length > 100_000 ? text.slice(0, 100_000) + text.slice(200_000) + text.slice(100_000, 200_000) : text,
  }),
  "page/markdown-keeps-characters scrape.response.markdown.meaning": writeMarkdown({
    "takes UTF-8 for Latin-1 in Markdown": mangle((text) => Buffer.from(text).toString("latin1")),
    "writes a question mark for each character that is not ASCII in Markdown": mangle((text) =>
      "?".repeat(text.length),
    ),
    "drops what is not ASCII in Markdown": mangle(() => ""),
    "drops the marks of letters in Markdown": mangle((text) => text.normalize("NFD").replace(/\p{M}/gu, "")),
    "loses what is beyond the first 65,536 characters in Markdown": mangle((text) =>
      text.replace(/[\u{10000}-\u{10ffff}]/gu, "\ufffd"),
    ),
    "reverses what is read from right to left in Markdown": mangle((text) =>
      text.replace(/[\u0590-\u06ff ]+/g, (run) => Array.from(run).toReversed().join("")),
    ),
    "escapes characters as JSON does, twice in Markdown": mangle((text) =>
      Array.from(text, (one) => `\\\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    ),
  }),
  "page/markdown-of-changed-page scrape.markdown-of-current-page": {
    "gives what it scraped first, although the page has changed": remember(),
    "has what was removed from the page beside what is there": {
      scrape: inMarkdown(
        (text) => (text.includes("floodmerrow") ? `${text}\n\nThe boats of driftlorne are still at the quay.` : text),
        always,
      ),
    },
  },
  "page/markdown-has-no-source scrape.markdown-of-current-page": {
    "has the comments of the page": {
      scrape: inMarkdown((text, { source }) => `${text}\n\n${/<!-- (\w+) -->/.exec(source)?.[1] ?? ""}`, plain),
    },
    "has the scripts of the page": {
      scrape: inMarkdown((text, { source }) => `${text}\n\n${/const script\w+/.exec(source)?.[0] ?? ""}`, plain),
    },
    "has the style sheets of the page": {
      scrape: inMarkdown((text, { source }) => `${text}\n\n${/\.style\w+/.exec(source)?.[0] ?? ""}`, plain),
    },
  },
  "page/markdown-of-current-page scrape.markdown-of-current-page": writeMarkdown({
    "has a page of another session behind a page": (text) =>
      text.includes("ambervessel") ? text : `${text}\n\nA lamp of brass, made by quilloran.`,
    "has a link of another session's page behind a page": (text) =>
      text.includes("ambervessel") ? `${text}\n\n[textsandpiper](berths/lnkotter)` : text,
    "has an image of another session's page behind a page": (text) =>
      text.includes("ambervessel") ? `${text}\n\n![](pictures/imgpelican.png)` : text,
  }),
  "page/ignored_tags-are-left-out scrape.request.ignored_tags.with-content": {
    "keeps frames although their tag is to be ignored": {
      options: (options) => ({
        ...options,
        ignored_tags: options.ignored_tags?.filter((tag) => tag !== "iframe") ?? null,
      }),
    },
  },
});
