import { playlistOf } from "@cloud-browser/recorder";

const playlist = playlistOf(5_000, (file) => `https://recordings.example/${file}`);
console.log(playlist); // #EXTM3U #EXT-X-VERSION:6…https://recordings.example/segment-000001.ts #EXT-X-ENDLIST
