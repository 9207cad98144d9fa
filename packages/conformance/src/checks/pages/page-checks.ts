import type { Check } from "../check.ts";
import { almanacChecks } from "./almanac-checks.ts";
import { contentChecks } from "./content-checks.ts";
import { cookieChecks } from "./cookie-checks.ts";
import { imageChecks } from "./image-checks.ts";
import { linkChecks } from "./link-checks.ts";
import { markdownChecks } from "./markdown-checks.ts";
import { recordingChecks } from "../recordings/recording-checks.ts";
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
