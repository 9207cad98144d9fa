// Loaded before a service (`node --import`): from SIGUSR2 to the next one each turn of its event loop takes most of a second.
import process from "node:process";

const turnMs = 700;
const never = new Int32Array(new SharedArrayBuffer(4));
let isSlow = false;

function turn(): void {
  if (!isSlow) return;
  // It waits, and needs no processor, as a process that gets none.
  Atomics.wait(never, 0, 0, turnMs);
  setImmediate(turn);
}

process.on("SIGUSR2", () => {
  isSlow = !isSlow;
  setImmediate(turn);
});
