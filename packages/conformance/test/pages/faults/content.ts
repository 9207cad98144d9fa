/** Faults of what is scraped. */
import { markers } from "../../../src/site/pages/markers.ts";
import type { Browser } from "../browser.ts";
import { byDefault, deaf, inMarkdown, plain, type PageFault } from "./page-fault.ts";

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
  {
    name: "answers some scrapes with 500",
    twist: { scrapeStatus: 500 },
    check: "page/scrape-status-200",
    requirement: "scrape.status-200",
  },
  {
    name: "answers reads of cookies with 500",
    twist: { cookiesStatus: 500 },
    check: "page/cookies-status-200",
    requirement: "cookies.status-200",
  },
  {
    name: "drops headings",
    twist: { scrape: inMarkdown((text) => text.replace(/^#.*$/gm, ""), plain) },
    check: "page/markdown-has-content",
    requirement: "scrape.response.markdown.meaning",
  },
  {
    name: "drops code",
    twist: { scrape: inMarkdown((text) => text.replace(/```[^]*?```/g, ""), plain) },
    check: "page/markdown-has-content",
    requirement: "scrape.response.markdown.meaning",
  },
  {
    name: "answers with the HTML document",
    twist: {
      scrape: inMarkdown(
        (_, { document }) => `<!DOCTYPE html>\n${withoutImages(document.documentElement.outerHTML)}`,
        plain,
      ),
    },
    check: "page/markdown-is-no-html-document",
    requirement: current,
  },
  {
    name: "reads the page without its scripts",
    twist: { scrape: inMarkdown((text) => text.replace(/.*velquartzen.*/, ""), plain) },
    check: "page/markdown-of-rendered-page",
    requirement: current,
  },
  {
    name: "scrapes the first session for every session",
    twist: { browser: (own, all, operation) => (operation === "scrape" ? firstWithText(all, own) : own) },
    check: "page/markdown-of-current-page",
    requirement: current,
  },
  {
    name: "scrapes the page on which a session was opened",
    twist: {
      scrape: inMarkdown(
        (text) => (text.includes("ambervessel") ? "One moment: the startfalcone leads on." : text),
        plain,
      ),
    },
    check: "page/markdown-of-current-page",
    requirement: current,
  },
  {
    name: "selects a part of the page by itself",
    twist: { scrape: inMarkdown((text) => withoutContent(text), plain) },
    check: "page/markdown-has-content",
    requirement: "scrape.request.selector.default",
  },
  {
    name: "ignores the selector",
    twist: { options: deaf("selector", { selector: null }) },
    check: "page/selector-limits-content",
    requirement: meaning("selector"),
  },
  {
    name: "answers a selector with nothing",
    twist: {
      scrape: inMarkdown(
        () => "",
        ({ selector }) => selector === "#chosen",
      ),
    },
    check: "page/selector-limits-content",
    requirement: meaning("selector"),
  },
  {
    name: "ignores the tags to ignore",
    twist: { options: deaf("ignored_tags", { ignored_tags: null }) },
    check: "page/ignored_tags-are-ignored",
    requirement: meaning("ignored_tags"),
  },
  {
    name: "keeps the text of ignored elements",
    twist: {
      scrape: inMarkdown(
        (text) =>
          `${text}\n\nPier kelvarine\n\nPier mossofern\n\nA note beside the article: the pilot of wrenaside has retired.`,
        ({ ignored_tags: tags }) => tags?.includes("table") === true,
      ),
    },
    check: "page/ignored_tags-are-left-out",
    requirement: "scrape.request.ignored_tags.with-content",
  },
  {
    name: "ignores tables and asides unless it is told otherwise",
    twist: { options: byDefault({ ignored_tags: ["table", "aside"] }) },
    check: "page/ignored_tags-default",
    requirement: "scrape.request.ignored_tags.default",
  },
  {
    name: "keeps the navigation bar in the main content",
    twist: { options: deaf("only_main_content", { only_main_content: false }) },
    check: "page/only_main_content-leaves-out-surroundings",
    requirement: meaning("only_main_content"),
  },
  {
    name: "keeps no more than a heading of the main content",
    twist: { options: deaf("only_main_content", { selector: "h1" }) },
    check: "page/only_main_content-leaves-out-surroundings",
    requirement: meaning("only_main_content"),
  },
  {
    name: "leaves out the surroundings unless it is told otherwise",
    twist: { options: byDefault({ ignored_tags: ["nav", "footer"] }) },
    check: "page/only_main_content-default",
    requirement: "scrape.request.only_main_content.default",
  },
  {
    name: "returns the content along with only the images",
    twist: { options: deaf("only_images", { only_images: false, scrape_images: true }) },
    check: "page/only_images-leaves-out-content",
    requirement: meaning("only_images"),
  },
];
