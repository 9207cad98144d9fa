/** Every correct server that makes use of something that is left open. */
import { openHttp } from "./http.ts";
import type { OpenServer } from "./open-server.ts";
import { openReads } from "./reads.ts";
import { openRuns } from "./runs.ts";
import { openScrapes } from "./scrapes.ts";
import { silentAnswers } from "./silent-answers.ts";
import { silentRuns } from "./silent-runs.ts";

/** In the order of the interface. */
export const openServers: readonly OpenServer[] = [
  ...openScrapes,
  ...openReads,
  ...openHttp,
  ...openRuns,
  ...silentAnswers,
  ...silentRuns,
];
