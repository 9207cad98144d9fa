export { attachRun, type AttachOptions, type Run, type RunClient } from "./runs/attach-run.ts";
export { startRun, type StartedRun, type StartingClient, type StartRunOptions } from "./runs/start-run.ts";
