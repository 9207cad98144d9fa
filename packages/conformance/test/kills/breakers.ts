/** Every way to break a sentence that an answer shows. */
import type { AnswerFault } from "../targets/fault.ts";
import { acceptanceBreakers, validationBreakers } from "./breakers/invalid-scrapes.ts";
import { readBreakers } from "./breakers/reads.ts";
import { refusalBreakers } from "./breakers/refused-scrapes.ts";
import { scrapeBreakers } from "./breakers/scrapes.ts";
import { serviceBreakers } from "./breakers/served.ts";
import { strangerBreakers } from "./breakers/strangers.ts";
import { streamBreakers } from "./breakers/streams.ts";

/** In the order of the interface. */
export const breakers: readonly AnswerFault[] = [
  ...refusalBreakers,
  ...scrapeBreakers,
  ...acceptanceBreakers,
  ...validationBreakers,
  ...readBreakers,
  ...serviceBreakers,
  ...strangerBreakers,
  ...streamBreakers,
];
