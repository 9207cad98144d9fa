import { startPrism, type PrismServer } from "@cloud-browser/conformance";
import { afterAll, beforeAll, test } from "vitest";
import { expectToRun, programs } from "./readme-programs.ts";

let prism: PrismServer;
beforeAll(async () => {
  prism = await startPrism();
});
afterAll(() => prism.stop());

test.for(programs)(
  "the program in line $line of the README runs as it is, and complains of nothing",
  async (program) => {
    await expectToRun(program, prism.url);
  },
);
