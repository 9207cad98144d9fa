/** Every target whose fault always shows. */
import { automationFaults } from "./faults/automation.ts";
import { credentialFaults } from "./faults/credentials.ts";
import { eventFaults } from "./faults/events.ts";
import { readFaults } from "./faults/reads.ts";
import { scrapeAnswerFaults } from "./faults/scrape-answers.ts";
import { scrapeFieldFaults } from "./faults/scrape-fields.ts";
import { scrapeRequestFaults } from "./faults/scrape-requests.ts";
import { strangerFaults } from "./faults/strangers.ts";
import { streamFaults } from "./faults/streams.ts";
import { unknownPropertyFaults } from "./faults/unknown-properties.ts";
import { validationErrorFaults } from "./faults/validation-errors.ts";
import type { Fault } from "./fault.ts";

/** By what they are about, in the order of the interface. */
export const faultyTargets: Readonly<Record<string, readonly Fault[]>> = {
  "Page scrape: fields of the request": scrapeFieldFaults,
  "Page scrape: unknown properties": unknownPropertyFaults,
  "Page scrape: body, query, headers and status": scrapeRequestFaults,
  "Page scrape: the answer": scrapeAnswerFaults,
  "Validation errors": validationErrorFaults,
  "Cookies and replay": readFaults,
  Authentication: credentialFaults,
  "Authentication: strangers": strangerFaults,
  "Automation: the request": automationFaults,
  "Automation: the stream": streamFaults,
  "Automation: the events": eventFaults,
};
