/** Faults of where links and images lead. */
import { breaking, type PageFault } from "../pages/faulty-servers/faulty-server.ts";
import type { DataSpace } from "../pages/scrape.ts";
import { answers } from "../target-page/twists.ts";

/** Replaces a piece of the Markdown. */
export const inText =
  (from: string | RegExp, to: string) =>
  (answer: DataSpace): DataSpace => ({
    ...answer,
    markdown: answer.markdown.replace(from, to),
  });

/** Servers with one fault each. */
export const addressFaults: readonly PageFault[] = [
  ...breaking("relations/links-lead-where-the-page-says", "scrape.markdown-of-current-page", {
    "has links that lead to the page before": answers(() => true, inText(/berths\/lnkotter/g, "../lnkotter")),
    "has links without their queries": answers(() => true, inText(/\?tide=low&(amp;)?berth=4/g, "")),
    "exchanges the addresses of two links": answers(
      () => true,
      (answer) => ({
        ...answer,
        markdown: answer.markdown.replace(
          /(\S*)berths\/lnkotter([^]*?)piers\/lnkheron/g,
          "$1piers/lnkheron$2berths/lnkotter",
        ),
      }),
    ),
    "has images in the Markdown that lead nowhere": answers(
      () => true,
      inText(/(\]\([^)]*)pictures\/imgpelican/g, "$1images/imgpelican"),
    ),
    "exchanges the addresses of two images in the Markdown": answers(
      () => true,
      (answer) => ({
        ...answer,
        markdown: answer.markdown.replace(/(\]\([^)]*)imgpelican([^]*?)imgpuffin/g, "$1imgpuffin$2imgpelican"),
      }),
    ),
  }),
  ...breaking("relations/links-lead-where-the-page-says", "scrape.request.use_link_placeholders.meaning", {
    "has placeholders for images in the Markdown that nobody asked for": answers(
      (request) => request.use_link_placeholders !== true,
      inText(/!\[([^\]]*)\]\([^)]*\)/g, "![$1](image-1)"),
    ),
  }),
  ...breaking("relations/image-urls", "image.url.meaning", {
    "lists images by wrong addresses beside a selector": answers(
      (request) => typeof request.selector === "string",
      (answer) => ({
        ...answer,
        images: answer.images?.map((one) => ({ ...one, url: one.url?.replace("pictures", "images") ?? null })) ?? null,
      }),
    ),
  }),
];
