import { describe, expect, test } from "vitest";
import { hostileConnections } from "./connections.ts";
import { bounds, measureBounds } from "./judging-process.ts";

describe("a target is judged in bounded time and memory, and its report is safe and small, although it answers with", () => {
  test.for(hostileConnections)("%s", async ([, target]) => {
    expect(await measureBounds(target)).toEqual(bounds);
  });
});
