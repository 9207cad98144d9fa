export {
  createAutomationDecoder,
  type AutomationDecoder,
  type AutomationDecoderOptions,
} from "./automation-decoder.ts";
export { readAutomationStream, type AutomationStream, type AutomationStreamOptions } from "./automation-stream.ts";
export type { AutomationSource } from "./byte-source.ts";
export {
  isTerminalEvent,
  terminalTypes,
  type AutomationEvent,
  type StreamEvent,
  type TerminalEvent,
  type UnknownEvent,
} from "./event.ts";
export type { Broken, Left, Outcome, TerminalOutcome } from "./outcome.ts";
export { StreamError, type StreamErrorCode, type StreamErrorDetails } from "./stream-error.ts";
export type { AfterTerminal, DamagedLine, MissingType, Sentinel, StreamReport } from "./stream-report.ts";
