/** Every faulty server of the simulated pages, for tests and for the kill table. */
import { cookieFaults } from "./cookies.ts";
import { extractionFaults } from "./extractions.ts";
import { imageFaults } from "./images.ts";
import { linkFaults } from "./links.ts";
import { contentFaults } from "./content.ts";
import { markdownFaults } from "./markdown.ts";
import type { PageFault } from "./faulty-server.ts";
import { recordingFaults } from "./recordings.ts";
import { replayFaults } from "./replays.ts";
import { segmentFaults } from "./segments.ts";
import { textFaults } from "./texts.ts";

/** For each check at least one server that breaks its sentence, and nothing else. */
export const pageFaults: readonly PageFault[] = [
  ...contentFaults,
  ...markdownFaults,
  ...textFaults,
  ...linkFaults,
  ...imageFaults,
  ...extractionFaults,
  ...cookieFaults,
  ...recordingFaults,
  ...replayFaults,
  ...segmentFaults,
];
