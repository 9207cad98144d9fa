/** Faults of links. */
import { breaking, byDefault, deaf, without, type PageFault } from "./faulty-server.ts";

const meaning = (option: string): string => `scrape.request.${option}.meaning`;

/** Servers with one fault each. */
export const linkFaults: readonly PageFault[] = [
  ...breaking("page/scrape_links-true", meaning("scrape_links"), {
    "drops links always": { options: (options) => without(options, { scrape_links: false }) },
  }),
  ...breaking("page/scrape_links-false", meaning("scrape_links"), {
    "keeps links when it is told not to": { options: deaf("scrape_links", { scrape_links: true }) },
  }),
  ...breaking("page/scrape_links-default", "scrape.request.scrape_links.default", {
    "drops links unless it is told otherwise": { options: byDefault({ scrape_links: false }) },
  }),
  ...breaking("page/use_link_placeholders-replaces", meaning("use_link_placeholders"), {
    "knows no placeholders": { options: deaf("use_link_placeholders", { use_link_placeholders: false }) },
    "has placeholders for links alone, and images spelled out": {
      taste: { placeholder: (kind, address, number) => (kind === "image" ? address : `link-${number}`) },
    },
  }),
];
