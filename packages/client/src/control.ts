export { createControl, type CloudBrowserControl } from "./control/create-control.ts";
export type {
  AnswerOf,
  ControlFile,
  ControlFunction,
  ControlHandover,
  ControlHealth,
  ControlKey,
  ControlOptions,
  ControlProfile,
  ControlRun,
  ControlSchemas,
  ControlSession,
  ControlTimeline,
  CreatedKey,
  CreatedToken,
  FunctionRequest,
  MakeFunctionRequest,
  ProfileState,
  QueryOf,
  OpenSessionRequest,
} from "./control/control-types.ts";
export type { FileControl } from "./control/files.ts";
export type { FunctionControl } from "./control/functions.ts";
export type { HandoverControl } from "./control/handovers.ts";
export type { KeyControl } from "./control/keys.ts";
export type { ProfileControl } from "./control/profiles.ts";
export type { ClipboardControl, ConsoleControl, TimelineControl } from "./control/records.ts";
export type { RunControl } from "./control/runs.ts";
export type { SessionControl, TokenControl } from "./control/sessions.ts";
