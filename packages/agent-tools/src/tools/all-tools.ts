import { askPersonTool } from "./ask-person.ts";
import { createCookiesTool } from "./cookies.ts";
import { listFunctionsTool, runFunctionTool } from "./functions.ts";
import { replayTool } from "./replay.ts";
import { automateTool, cancelRunTool, followRunTool } from "./runs.ts";
import { scrapeTool } from "./scrape.ts";
import { timelineTool } from "./timeline.ts";
import { endSessionTool, listSessionsTool, openSessionTool } from "./sessions.ts";
import type { Tool } from "./tool.ts";
import type { ToolSettings } from "./tool-settings.ts";

/** Returns the tools, in the order in which they are used. */
export function allTools({ allowed }: Pick<ToolSettings, "allowed">): readonly Tool[] {
  return [
    openSessionTool,
    scrapeTool,
    listSessionsTool,
    endSessionTool,
    createCookiesTool(allowed.has("cookie-values")),
    replayTool,
    timelineTool,
    automateTool,
    followRunTool,
    cancelRunTool,
    listFunctionsTool,
    runFunctionTool,
    askPersonTool,
  ];
}
