import { createSnapshot } from "@cloud-browser/stream";

const { text, tools } = createSnapshot(); // before the first event; `reduceSnapshot` adds one
console.log(JSON.stringify({ text, tools })); // {"text":"","tools":[]}
