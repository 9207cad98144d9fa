export { systemClock, type Clock } from "./clock.ts";
export { type RecordingView } from "./recordings/recording-view.ts";
export { RecorderError, type RecorderErrorCode } from "./recorder-error.ts";
export { Recordings, type RecordingsOptions, type Replay } from "./recordings/recordings.ts";
export { serveRecording } from "./recordings/serve-recording.ts";
export { storageTrouble } from "./storage-trouble.ts";
export { Journal } from "./journal/journal.ts";
export { Recorder, type RecordedSession } from "./recordings/session-recorder.ts";
