/** Faults of links. */
import { byDefault, deaf, without, type PageFault } from "./page-fault.ts";

const meaning = (option: string): string => `scrape.request.${option}.meaning`;

/** Servers with one fault each. */
export const linkFaults: readonly PageFault[] = [
  {
    name: "drops links always",
    twist: { options: (options) => without(options, { scrape_links: false }) },
    check: "page/scrape_links-true",
    requirement: meaning("scrape_links"),
  },
  {
    name: "keeps links when it is told not to",
    twist: { options: deaf("scrape_links", { scrape_links: true }) },
    check: "page/scrape_links-false",
    requirement: meaning("scrape_links"),
  },
  {
    name: "drops links unless it is told otherwise",
    twist: { options: byDefault({ scrape_links: false }) },
    check: "page/scrape_links-default",
    requirement: "scrape.request.scrape_links.default",
  },
  {
    name: "knows no placeholders",
    twist: { options: deaf("use_link_placeholders", { use_link_placeholders: false }) },
    check: "page/use_link_placeholders-replaces",
    requirement: meaning("use_link_placeholders"),
  },
  {
    name: "has placeholders for links alone, and images spelled out",
    twist: { taste: { placeholder: (kind, address, number) => (kind === "image" ? address : `link-${number}`) } },
    check: "page/use_link_placeholders-replaces",
    requirement: meaning("use_link_placeholders"),
  },
];
