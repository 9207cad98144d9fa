import { describe, expect, test } from "vitest";
import { hostileBodies } from "./bodies.ts";
import { bounds, measureBounds } from "./judging-process.ts";

describe("a target is judged in bounded time and memory, and its report is safe and small, although it answers with", () => {
  test.for(hostileBodies)("%s", async ([, target]) => {
    expect(await measureBounds(target)).toEqual(bounds);
  });
});
