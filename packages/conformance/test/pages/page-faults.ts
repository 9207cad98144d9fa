/** Every faulty server of the simulated pages, for tests and for the kill table. */
import { cookieFaults } from "./cookie-faults.ts";
import { contentFaults } from "./content-faults.ts";
import { markdownFaults } from "./markdown-faults.ts";
import { optionFaults } from "./option-faults.ts";
import type { PageFault } from "./page-fault.ts";
import { recordingFaults } from "./recording-faults.ts";
import { segmentFaults } from "./segment-faults.ts";
import { textFaults } from "./text-faults.ts";

/** For each check at least one server that breaks its sentence, and nothing else. */
export const pageFaults: readonly PageFault[] = [
  ...contentFaults,
  ...markdownFaults,
  ...textFaults,
  ...optionFaults,
  ...cookieFaults,
  ...recordingFaults,
  ...segmentFaults,
];
