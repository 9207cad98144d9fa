export {
  createAutomationDecoder,
  type AutomationDecoder,
  type AutomationDecoderOptions,
} from "./automation-decoder.ts";
export type { DecodingOptions } from "./decoding-options.ts";
export { readAutomationStream } from "./automation-stream.ts";
export { createAutomationTransform } from "./automation-transform.ts";
export type { AutomationStream, AutomationStreamOptions } from "./reading.ts";
export type { AutomationSource } from "./byte-source.ts";
export type { Timeouts } from "./timeouts.ts";
export {
  isTerminalEvent,
  terminalTypes,
  type AutomationEvent,
  type StreamEvent,
  type TerminalEvent,
  type UnknownEvent,
} from "./event.ts";
export type { Broken, Left, Outcome, TerminalOutcome } from "./outcome.ts";
export { playRecording, type PlayOptions } from "./player.ts";
export { recordStream, type RecordOptions, type StreamRecorder } from "./recorder.ts";
export {
  createSnapshot,
  reduceSnapshot,
  type AutomationSnapshot,
  type CreatedFunction,
  type ToolEntry,
} from "./snapshot.ts";
export { StreamError, type StreamErrorCode, type StreamErrorDetails } from "./stream-error.ts";
export type { StreamReport, StreamReportKind } from "./stream-report.ts";
