import { isTerminalEvent } from "@cloud-browser/stream";

console.log(isTerminalEvent({ type: "text_delta", delta: "At 14:20." })); // false
console.log(isTerminalEvent({ type: "cancelled", reason: "by its owner" })); // true
