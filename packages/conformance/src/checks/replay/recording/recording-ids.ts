import { listHops } from "../../follow-download.ts";

/**
 * First word of the ids of the exchanges that are about one recording: `recording` for that of the session that the suite has opened and
 * ended itself, `replay` for that of the ended session that was given.
 */
export type RecordingName = "recording" | "replay";

/** Recordings of a run; the one that more is known about comes first. */
export const recordings: readonly RecordingName[] = ["recording", "replay"];

/** Returns the recording that an exchange is about, by its id. */
export const findRecordingName = ({ id }: { readonly id: string }): RecordingName =>
  id.startsWith("replay/") ? "replay" : "recording";

/** Returns the id of the exchange in which the replay was read. */
export const makeReadId = (name: RecordingName): string => `${name}/read`;

/** Maximum number of segments that are downloaded; the rest of a long recording is not. */
export const segmentLimit = 100;

/** Maximum number of initialization sections that are downloaded. */
export const mapLimit = 4;

const numberIds = (id: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${id}-${index + 1}`);

/** Returns the ids of the exchanges in which a kind of file is downloaded. */
export type ListIds = (name: RecordingName) => readonly string[];

/** Returns the ids of the exchanges in which the MP4 is downloaded. */
export const listMp4Ids: ListIds = (name) => listHops(`${name}/mp4`);

/** Returns the ids of the exchanges in which segments and initialization sections may be downloaded. */
export const listSegmentIds: ListIds = (name) =>
  [...numberIds(`${name}/segment`, segmentLimit), ...numberIds(`${name}/segment-map`, mapLimit)].flatMap(listHops);

/** Returns the ids of the exchanges in which the segment at a place is downloaded, the first one of which is 1. */
export const listSegmentIdsAt = (name: RecordingName, place: number): readonly string[] =>
  listHops(`${name}/segment-${place}`);

/** Returns the ids of the exchanges that download files once more at the end of the run. */
export const listLastIds: ListIds = (name) => [...listHops(`${name}/last-mp4`), ...listHops(`${name}/last-segment`)];

/** Returns the ids of the exchanges in which the MP4 is asked for after its address has expired. */
export const listExpiredIds: ListIds = (name) => listHops(`${name}/expired-mp4`);

/** Ids of the exchanges in which the MP4 of the other session that the suite has ended is downloaded. */
export const otherMp4ProbeIds: readonly string[] = listHops("recording/other-mp4");

/** Returns the probes of a check of files: the reads of both replays, and the downloads. */
export const listProbesOn = (...kinds: readonly ListIds[]): string[] =>
  recordings.flatMap((name) => [makeReadId(name)].concat(kinds.flatMap((listIds) => listIds(name))));
