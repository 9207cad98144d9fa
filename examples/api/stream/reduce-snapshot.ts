import { createSnapshot, reduceSnapshot, type StreamEvent } from "@cloud-browser/stream";

const events: StreamEvent[] = [
  { type: "text_delta", delta: "At " },
  { type: "text_delta", delta: "14:20." },
];
console.log(events.reduce(reduceSnapshot, createSnapshot()).text); // At 14:20.
