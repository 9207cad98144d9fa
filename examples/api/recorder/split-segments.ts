import { segmentsOf } from "@cloud-browser/recorder";

console.log(
  segmentsOf(5_000)
    .map(({ file, durationMs }) => `${file}: ${durationMs} ms`)
    .join(", "),
); // segment-000000.ts: 4000 ms, segment-000001.ts: 1000 ms
