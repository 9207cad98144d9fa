export { waitForReplay, type WaitOptions, type WaitProgress } from "./replay/availability.ts";
export type { ByteRange } from "./replay/byte-range.ts";
export { downloadReplay, type DownloadOptions, type DownloadProgress, type DownloadResult } from "./replay/download.ts";
export type { FileFetch } from "./replay/file-host.ts";
export { downloadHls, type HlsOptions, type HlsProgress, type HlsResult } from "./replay/hls-download.ts";
export type { ReplayClient, ReplayResponse } from "./replay/replay-client.ts";
export {
  parsePlaylist,
  segmentsBetween,
  type MediaPlaylist,
  type PlaylistKey,
  type PlaylistMap,
  type PlaylistOptions,
  type PlaylistSegment,
} from "./replay/playlist.ts";
export type { TransferOptions } from "./replay/transfer-options.ts";
