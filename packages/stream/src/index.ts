import type { components } from "@cloud-browser/spec/types";

/** One event. */
export type AutomationEvent = components["schemas"]["AutomationEvent"];
/** Terminal types. */
export const terminalTypes = ["done", "error", "timeout", "cancelled"] as const;
