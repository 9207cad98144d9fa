/** Every way to break a sentence that an answer shows. */
import type { AnswerFault } from "../targets/fault.ts";
import { takenBreakers, validationBreakers } from "./breakers/invalid-scrapes.ts";
import { readBreakers } from "./breakers/reads.ts";
import { refusedBreakers } from "./breakers/refused-scrapes.ts";
import { scrapeBreakers } from "./breakers/scrapes.ts";
import { servedBreakers } from "./breakers/served.ts";
import { strangerBreakers } from "./breakers/strangers.ts";
import { streamBreakers } from "./breakers/streams.ts";

/** In the order of the interface. */
export const breakers: readonly AnswerFault[] = [
  ...refusedBreakers,
  ...scrapeBreakers,
  ...takenBreakers,
  ...validationBreakers,
  ...readBreakers,
  ...servedBreakers,
  ...strangerBreakers,
  ...streamBreakers,
];
