/** Faults of links. */
import { breakPages, byDefault, deaf, without } from "./faulty-server.ts";

/** Servers with one fault each. */
export const linkFaults = breakPages({
  "page/scrape_links-true scrape.request.scrape_links.meaning": {
    "drops links always": { options: (options) => without(options, { scrape_links: false }) },
  },
  "page/scrape_links-false scrape.request.scrape_links.meaning": {
    "keeps links when it is told not to": { options: deaf("scrape_links", { scrape_links: true }) },
  },
  "page/scrape_links-default scrape.request.scrape_links.default": {
    "drops links unless it is told otherwise": { options: byDefault({ scrape_links: false }) },
  },
  "page/use_link_placeholders-replaces scrape.request.use_link_placeholders.meaning": {
    "knows no placeholders": { options: deaf("use_link_placeholders", { use_link_placeholders: false }) },
    "has placeholders for links alone, and images spelled out": {
      taste: { placeholder: (kind, address, number) => (kind === "image" ? address : `link-${number}`) },
    },
  },
});
