import { parsePlaylist } from "@cloud-browser/client/replay";

const { segments } = parsePlaylist(`#EXTM3U
#EXT-X-TARGETDURATION:4
#EXTINF:4,
0.ts
#EXTINF:2.5,
1.ts
#EXT-X-ENDLIST
`);
console.log(segments.map(({ uri, durationSeconds }) => `${uri}: ${durationSeconds} s`).join(", ")); // 0.ts: 4 s, 1.ts: 2.5 s
