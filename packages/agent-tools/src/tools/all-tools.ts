import { askPerson } from "./ask-person.ts";
import { readCookies } from "./cookies.ts";
import { listFunctions, runFunction } from "./functions.ts";
import { getReplay } from "./replay.ts";
import { automate, cancelRun, followRunTool } from "./runs.ts";
import { scrape } from "./scrape.ts";
import { readTimeline } from "./timeline.ts";
import { endSession, listSessions, openSession } from "./sessions.ts";
import type { Tool } from "./tool.ts";
import type { ToolSettings } from "./tool-settings.ts";

/** Returns the tools, in the order in which they are used. */
export function allTools({ allowed }: Pick<ToolSettings, "allowed">): readonly Tool[] {
  return [
    openSession,
    scrape,
    listSessions,
    endSession,
    readCookies(allowed.has("cookie-values")),
    getReplay,
    readTimeline,
    automate,
    followRunTool,
    cancelRun,
    listFunctions,
    runFunction,
    askPerson,
  ];
}
