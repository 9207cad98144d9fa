export {
  createAutomationDecoder,
  type AutomationDecoder,
  type AutomationDecoderOptions,
} from "./framing/automation-decoder.ts";
export type { DecodingOptions } from "./framing/decoding-options.ts";
export { readAutomationStream } from "./reading/read-automation-stream.ts";
export { createAutomationTransform } from "./reading/automation-transform.ts";
export type { AutomationStream, AutomationStreamOptions } from "./reading/automation-stream.ts";
export type { AutomationSource } from "./input/byte-source.ts";
export type { Timeouts } from "./reading/timeouts.ts";
export { isTerminalEvent, reduceSnapshot } from "./input/caller-events.ts";
export {
  terminalTypes,
  type AutomationEvent,
  type StreamEvent,
  type TerminalEvent,
  type UnknownEvent,
} from "./events/event.ts";
export type { Broken, Left, Outcome, TerminalOutcome } from "./reading/outcome.ts";
export { playRecording, type PlayOptions } from "./recording/player.ts";
export { recordStream, type RecordOptions, type StreamRecorder } from "./recording/recorder.ts";
export { createSnapshot, type AutomationSnapshot, type CreatedFunction, type ToolEntry } from "./events/snapshot.ts";
export { StreamError, type StreamErrorCode, type StreamErrorDetails } from "./errors/stream-error.ts";
export type { StreamReport, StreamReportKind } from "./errors/stream-report.ts";
