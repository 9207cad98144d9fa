import type { CheckGroup } from "../check-group.ts";
import { pageProbes } from "./page-probes.ts";
import type { Check } from "../check.ts";
import { almanacChecks } from "./almanac-checks.ts";
import { contentChecks, linkChecks } from "./content-checks.ts";
import { cookieChecks } from "./cookie-checks.ts";
import { imageChecks } from "./image-checks.ts";
import { markdownChecks } from "./markdown-checks.ts";
import { recordingChecks } from "../replay/recording/recording-checks.ts";
import { textChecks } from "./text-checks.ts";
import { structureChecks } from "./structure-checks.ts";

/** Every check that needs a session on a page that the suite knows, or its recording, in the order of the report. */
export const pageChecks: readonly Check[] = [
  ...contentChecks,
  ...markdownChecks,
  ...textChecks,
  ...almanacChecks,
  ...linkChecks,
  ...imageChecks,
  ...structureChecks,
  ...cookieChecks,
  ...recordingChecks,
];

/** Checks of pages that the suite knows, in sessions that it has opened. */
export const pagesGroup: CheckGroup = {
  checks: pageChecks,
  probes: () => ({
    kept: pageProbes.filter(({ connection }) => connection === "kept"),
    further: pageProbes.filter(({ connection }) => connection !== "kept"),
  }),
};
