import { afterAll, vi } from "vitest";

// Runs before each file of tests. The files of a worker share their globals: what one has replaced must not reach the next.
const before = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  const changed = [...names].filter((name) => process.env[name] !== before[name]);
  if (changed.length === 0) return;
  for (const name of changed) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  throw new Error(`this file has left environment variables changed: ${changed.join(", ")}; use vi.stubEnv`);
});
