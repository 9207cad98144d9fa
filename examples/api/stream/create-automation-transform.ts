import { createAutomationTransform } from "@cloud-browser/stream";

const body = new Blob([`data: {"type":"status","status":"starting"}\n\ndata: {"type":"done"}\n\n`]).stream();
const types: string[] = [];
for await (const { type } of body.pipeThrough(createAutomationTransform())) types.push(type);
console.log(types.join(", ")); // status, done
