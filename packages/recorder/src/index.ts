export { systemClock, type Clock } from "./clock.ts";
export { type RecordingView } from "./recording-view.ts";
export { RecorderError, type RecorderErrorCode } from "./recorder-error.ts";
export { Recordings, type Replay } from "./recordings.ts";
export { serveRecording } from "./serve-recording.ts";
export { storageTrouble } from "./storage-trouble.ts";
export { Journal } from "./journal.ts";
export { Recorder } from "./recorder.ts";
