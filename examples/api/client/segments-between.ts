import { parsePlaylist, segmentsBetween } from "@cloud-browser/client/replay";

const playlist = parsePlaylist(`#EXTM3U
#EXT-X-TARGETDURATION:4
#EXTINF:4,
0.ts
#EXTINF:2.5,
1.ts
#EXT-X-ENDLIST
`);
console.log(segmentsBetween(playlist, 4.5, 6).map(({ uri }) => uri)); // [ '1.ts' ]
