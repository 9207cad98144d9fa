import { findFfmpeg } from "@cloud-browser/recorder";

const path = await findFfmpeg(undefined, "cache"); // the one from npm, or on the PATH
console.log(path); // …ffmpeg…
