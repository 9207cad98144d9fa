/** Faults of what is scraped. */
import { markers } from "../../../src/site/pages/markers.ts";
import type { Browser } from "../browser.ts";
import { breakPages, byDefault, deaf, inMarkdown, plain, writeMarkdown } from "./faulty-server.ts";

/** The tags of the pictures, so that only the form of the document is wrong. */
const dropImages = (html: string): string => html.replace(/<img[^>]*>/g, "");

/** The Markdown without the content outside of the part `#chosen`; what other checks look at is kept. */
function dropContent(text: string): string {
  const words = Object.values<string>(markers.content);
  const blocks = text.split(/\n{2,}/).filter((block) => !words.some((word) => block.includes(word)));
  return blocks.join("\n\n");
}

/** The first session on a page with text: the one that is recorded shows a clock. */
const findFirst = (all: readonly Browser[], own: Browser): Browser =>
  all.find(({ source }) => !source.includes("<title>A clock</title>")) ?? own;

/** Servers with one fault each. */
export const contentFaults = breakPages({
  "page/scrape-status-200 scrape.status-200": { "answers some scrapes with 500": { scrapeStatus: 500 } },
  "page/cookies-status-200 cookies.status-200": { "answers reads of cookies with 500": { cookiesStatus: 500 } },
  "page/markdown-has-content scrape.response.markdown.meaning": writeMarkdown({
    "drops headings": (text) => text.replace(/^#.*$/gm, ""),
    "drops code": (text) => text.replace(/```[^]*?```/g, ""),
  }),
  "page/markdown-is-no-html-document scrape.markdown-of-current-page": {
    "answers with the HTML document": {
      scrape: inMarkdown(
        (_, { document }) => `<!DOCTYPE html>\n${dropImages(document.documentElement.outerHTML)}`,
        plain,
      ),
    },
  },
  "page/markdown-of-rendered-page scrape.markdown-of-current-page": writeMarkdown({
    "reads the page without its scripts": (text) => text.replace(/.*velquartzen.*/, ""),
  }),
  "page/markdown-of-current-page scrape.markdown-of-current-page": {
    "scrapes the first session for every session": {
      browser: (own, all, operation) => (operation === "scrape" ? findFirst(all, own) : own),
    },
    ...writeMarkdown({
      "scrapes the page on which a session was opened": (text) =>
        text.includes("ambervessel") ? "One moment: the startfalcone leads on." : text,
    }),
  },
  "page/markdown-has-content scrape.request.selector.default": writeMarkdown({
    "selects a part of the page by itself": dropContent,
  }),
  "page/selector-limits-content scrape.request.selector.meaning": {
    "ignores the selector": { options: deaf("selector", { selector: null }) },
    ...writeMarkdown({ "answers a selector with nothing": () => "" }, ({ selector }) => selector === "#chosen"),
  },
  "page/ignored_tags-are-ignored scrape.request.ignored_tags.meaning": {
    "ignores the tags to ignore": { options: deaf("ignored_tags", { ignored_tags: null }) },
  },
  "page/ignored_tags-are-left-out scrape.request.ignored_tags.with-content": writeMarkdown(
    {
      "keeps the text of ignored elements": (text) =>
        `${text}\n\nPier kelvarine\n\nPier mossofern\n\nA note beside the article: the pilot of wrenaside has retired.`,
    },
    ({ ignored_tags: tags }) => tags?.includes("table") === true,
  ),
  "page/ignored_tags-default scrape.request.ignored_tags.default": {
    "ignores tables and asides unless it is told otherwise": {
      options: byDefault({ ignored_tags: ["table", "aside"] }),
    },
  },
  "page/only_main_content-leaves-out-surroundings scrape.request.only_main_content.meaning": {
    "keeps the navigation bar in the main content": {
      options: deaf("only_main_content", { only_main_content: false }),
    },
    "keeps no more than a heading of the main content": { options: deaf("only_main_content", { selector: "h1" }) },
  },
  "page/only_main_content-default scrape.request.only_main_content.default": {
    "leaves out the surroundings unless it is told otherwise": {
      options: byDefault({ ignored_tags: ["nav", "footer"] }),
    },
  },
  "page/only_images-leaves-out-content scrape.request.only_images.meaning": {
    "returns the content along with only the images": {
      options: deaf("only_images", { only_images: false, scrape_images: true }),
    },
  },
});
