import { startPrism, type PrismServer } from "@cloud-browser/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programs, run } from "./readme-programs.ts";

let prism: PrismServer;
beforeAll(async () => {
  prism = await startPrism();
});
afterAll(() => prism.stop());

test.for(programs)(
  "the program in line $line of the README runs as it is, and complains of nothing",
  async (program) => {
    expect(await run(program, prism.url)).toEqual({ stderr: "", stdout: expect.stringMatching(/./) });
  },
);
