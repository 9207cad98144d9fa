/** Faults of what is scraped. */
import { markers } from "../../../src/site/pages/markers.ts";
import type { Browser } from "../browser.ts";
import { breaking, byDefault, deaf, inMarkdown, plain, type PageFault } from "./faulty-server.ts";

const meaning = (option: string): string => `scrape.request.${option}.meaning`;
const current = "scrape.markdown-of-current-page";

/** The tags of the pictures, so that only the form of the document is wrong. */
function withoutImages(html: string): string {
  return html.replace(/<img[^>]*>/g, "");
}

/** The Markdown without the content outside of the part `#chosen`; what other checks look at is kept. */
function withoutContent(text: string): string {
  const words = Object.values<string>(markers.content);
  return text
    .split(/\n{2,}/)
    .filter((block) => !words.some((word) => block.includes(word)))
    .join("\n\n");
}

/** The first session on a page with text: the one that is recorded shows a clock. */
const firstWithText = (all: readonly Browser[], own: Browser): Browser =>
  all.find(({ source }) => !source.includes("<title>A clock</title>")) ?? own;

/** Servers with one fault each. */
export const contentFaults: readonly PageFault[] = [
  ...breaking("page/scrape-status-200", "scrape.status-200", {
    "answers some scrapes with 500": { scrapeStatus: 500 },
  }),
  ...breaking("page/cookies-status-200", "cookies.status-200", {
    "answers reads of cookies with 500": { cookiesStatus: 500 },
  }),
  ...breaking("page/markdown-has-content", "scrape.response.markdown.meaning", {
    "drops headings": { scrape: inMarkdown((text) => text.replace(/^#.*$/gm, ""), plain) },
    "drops code": { scrape: inMarkdown((text) => text.replace(/```[^]*?```/g, ""), plain) },
  }),
  ...breaking("page/markdown-is-no-html-document", current, {
    "answers with the HTML document": {
      scrape: inMarkdown(
        (_, { document }) => `<!DOCTYPE html>\n${withoutImages(document.documentElement.outerHTML)}`,
        plain,
      ),
    },
  }),
  ...breaking("page/markdown-of-rendered-page", current, {
    "reads the page without its scripts": { scrape: inMarkdown((text) => text.replace(/.*velquartzen.*/, ""), plain) },
  }),
  ...breaking("page/markdown-of-current-page", current, {
    "scrapes the first session for every session": {
      browser: (own, all, operation) => (operation === "scrape" ? firstWithText(all, own) : own),
    },
    "scrapes the page on which a session was opened": {
      scrape: inMarkdown(
        (text) => (text.includes("ambervessel") ? "One moment: the startfalcone leads on." : text),
        plain,
      ),
    },
  }),
  ...breaking("page/markdown-has-content", "scrape.request.selector.default", {
    "selects a part of the page by itself": { scrape: inMarkdown((text) => withoutContent(text), plain) },
  }),
  ...breaking("page/selector-limits-content", meaning("selector"), {
    "ignores the selector": { options: deaf("selector", { selector: null }) },
    "answers a selector with nothing": {
      scrape: inMarkdown(
        () => "",
        ({ selector }) => selector === "#chosen",
      ),
    },
  }),
  ...breaking("page/ignored_tags-are-ignored", meaning("ignored_tags"), {
    "ignores the tags to ignore": { options: deaf("ignored_tags", { ignored_tags: null }) },
  }),
  ...breaking("page/ignored_tags-are-left-out", "scrape.request.ignored_tags.with-content", {
    "keeps the text of ignored elements": {
      scrape: inMarkdown(
        (text) =>
          `${text}\n\nPier kelvarine\n\nPier mossofern\n\nA note beside the article: the pilot of wrenaside has retired.`,
        ({ ignored_tags: tags }) => tags?.includes("table") === true,
      ),
    },
  }),
  ...breaking("page/ignored_tags-default", "scrape.request.ignored_tags.default", {
    "ignores tables and asides unless it is told otherwise": {
      options: byDefault({ ignored_tags: ["table", "aside"] }),
    },
  }),
  ...breaking("page/only_main_content-leaves-out-surroundings", meaning("only_main_content"), {
    "keeps the navigation bar in the main content": {
      options: deaf("only_main_content", { only_main_content: false }),
    },
    "keeps no more than a heading of the main content": { options: deaf("only_main_content", { selector: "h1" }) },
  }),
  ...breaking("page/only_main_content-default", "scrape.request.only_main_content.default", {
    "leaves out the surroundings unless it is told otherwise": {
      options: byDefault({ ignored_tags: ["nav", "footer"] }),
    },
  }),
  ...breaking("page/only_images-leaves-out-content", meaning("only_images"), {
    "returns the content along with only the images": {
      options: deaf("only_images", { only_images: false, scrape_images: true }),
    },
  }),
];
