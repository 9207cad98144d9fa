import { createAutomationDecoder } from "@cloud-browser/stream";

const types: string[] = [];
const decoder = createAutomationDecoder({ onEvent: ({ type }) => types.push(type) });
const encoder = new TextEncoder();
decoder.feed(encoder.encode(`data: {"type":"status",`)); // chunks may end anywhere
decoder.feed(encoder.encode(`"status":"starting"}\n\ndata: {"type":"done"}\n`));
decoder.end();
console.log(types.join(", ")); // status, done
