/** Faults of where links and images lead. */
import type { PageFault } from "../pages/faults/page-fault.ts";
import type { DataSpace, ScrapeOptions } from "../pages/scrape.ts";
import type { Twist } from "../pages/site-server.ts";

/** Changes the answers to some scrapes. */
export const onScrape = (
  when: (asked: Partial<ScrapeOptions>) => boolean,
  change: (answer: DataSpace) => DataSpace,
): Twist => ({
  scrape: (answer, asked) => (when(asked) ? change(answer) : answer),
});

/** Replaces a piece of the Markdown. */
export const inText =
  (from: string | RegExp, to: string) =>
  (answer: DataSpace): DataSpace => ({
    ...answer,
    markdown: answer.markdown.replace(from, to),
  });

/** Servers with one fault each. */
export const addressFaults: readonly PageFault[] = [
  {
    name: "has links that lead to the page before",
    twist: onScrape(() => true, inText(/berths\/lnkotter/g, "../lnkotter")),
    check: "relations/links-lead-where-the-page-says",
    requirement: "scrape.markdown-of-current-page",
  },
  {
    name: "has links without their queries",
    twist: onScrape(() => true, inText(/\?tide=low&(amp;)?berth=4/g, "")),
    check: "relations/links-lead-where-the-page-says",
    requirement: "scrape.markdown-of-current-page",
  },
  {
    name: "exchanges the addresses of two links",
    twist: onScrape(
      () => true,
      (answer) => ({
        ...answer,
        markdown: answer.markdown.replace(
          /(\S*)berths\/lnkotter([^]*?)piers\/lnkheron/g,
          "$1piers/lnkheron$2berths/lnkotter",
        ),
      }),
    ),
    check: "relations/links-lead-where-the-page-says",
    requirement: "scrape.markdown-of-current-page",
  },
  {
    name: "has images in the Markdown that lead nowhere",
    twist: onScrape(() => true, inText(/(\]\([^)]*)pictures\/imgpelican/g, "$1images/imgpelican")),
    check: "relations/links-lead-where-the-page-says",
    requirement: "scrape.markdown-of-current-page",
  },
  {
    name: "exchanges the addresses of two images in the Markdown",
    twist: onScrape(
      () => true,
      (answer) => ({
        ...answer,
        markdown: answer.markdown.replace(/(\]\([^)]*)imgpelican([^]*?)imgpuffin/g, "$1imgpuffin$2imgpelican"),
      }),
    ),
    check: "relations/links-lead-where-the-page-says",
    requirement: "scrape.markdown-of-current-page",
  },
  {
    name: "has placeholders for images in the Markdown that nobody asked for",
    twist: onScrape(
      (asked) => asked.use_link_placeholders !== true,
      inText(/!\[([^\]]*)\]\([^)]*\)/g, "![$1](image-1)"),
    ),
    check: "relations/links-lead-where-the-page-says",
    requirement: "scrape.request.use_link_placeholders.meaning",
  },
  {
    name: "lists images by wrong addresses beside a selector",
    twist: onScrape(
      (asked) => typeof asked.selector === "string",
      (answer) => ({
        ...answer,
        images: answer.images?.map((one) => ({ ...one, url: one.url?.replace("pictures", "images") ?? null })) ?? null,
      }),
    ),
    check: "relations/image-urls",
    requirement: "image.url.meaning",
  },
];
